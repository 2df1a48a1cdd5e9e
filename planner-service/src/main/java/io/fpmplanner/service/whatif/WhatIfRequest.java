/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Quantity;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.TokenLengths;
import io.fpmplanner.core.twin.FleetTwin;
import io.fpmplanner.core.twin.PresentTraffic;
import io.fpmplanner.core.twin.Routing;
import io.fpmplanner.core.twin.TwinPool;
import io.fpmplanner.core.twin.WhatIf;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A what-if question as it was asked, completed by what the pools see at present.
 *
 * @param pool the pool asked about
 * @param decodePool the other one of a pair; null if the question is about one pool
 * @param twin simulates them
 * @param question what to simulate
 * @param loadError relative standard error of rate and lengths together, as far as they were not told
 * @param search whether the highest rate and the smallest fleet are wanted too
 * @param mostReplicas of the smallest fleet
 */
record WhatIfRequest(
        PoolPlan pool,
        @Nullable PoolPlan decodePool,
        FleetTwin twin,
        WhatIf question,
        double loadError,
        boolean search,
        int mostReplicas) {
    static final String EXAMPLE = "{\"requestsPerSecond\": 20, \"replicas\": 4}";
    static final List<String> FIELDS = List.of(
            "requestsPerSecond",
            "burstiness",
            "inputTokens",
            "outputTokens",
            "cachedShare",
            "replicas",
            "decodePool",
            "decodeReplicas",
            "transferSeconds",
            "routing",
            "limits",
            "slo",
            "search");
    private static final List<String> OF_PAIRS = List.of("decodeReplicas", "transferSeconds");
    static final List<String> LIMITS = List.of("maxBatchedTokens", "maxSequences", "kvCapacityTokens");
    private static final List<String> SLO = List.of("ttftSeconds", "itlSeconds", "attainment");
    private static final List<String> ROUTINGS = List.of("leastLoaded", "roundRobin", "random");
    static final double LEAST_RATE = 1e-6;
    static final int MOST_LIMIT = 1 << 24;
    private static final double LONGEST_SECONDS = 86_400;
    private static final double MOST_ERROR = 0.5;

    /** @param otherRate requests/s if the question does not say; what comes at present if that is empty too */
    static WhatIfRequest read(PlanView plan, PoolPlan pool, JsonBody body, OptionalDouble otherRate) {
        PoolPlan decode =
                body.text("decodePool").map(id -> decodePool(plan, pool, id)).orElse(null);
        for (String field : OF_PAIRS) {
            if (decode == null && body.has(field)) {
                throw Problem.field(field, field + " needs a decodePool");
            }
        }
        requireLearned(pool, pool.pool().settings().role());
        if (decode != null) {
            requireLearned(decode, Role.DECODE);
        }
        SloTarget slo = slo(body, pool.pool().settings().slo());
        TwinPool first = TwinPool.of(pool.pool());
        first = first.with(limits(body, first.limits()));
        FleetTwin twin =
                decode == null ? FleetTwin.of(first, slo) : FleetTwin.of(first, TwinPool.of(decode.pool()), slo);
        PresentTraffic present = PresentTraffic.of(pool.pool(), decode == null ? null : decode.pool());
        Workload workload =
                workload(body, pool, present, otherRate.isPresent() ? otherRate : present.requestsPerSecond());
        requireFits(workload, limits(body, pool.pool().settings().limits()), pool);
        PlayedChunks.requireFew(body, pool.pool(), workload, 1);
        WhatIf question = new WhatIf(
                workload,
                replicas(body, "replicas", pool.pool()),
                decode == null ? 0 : replicas(body, "decodeReplicas", decode.pool()),
                routing(body),
                body.number("transferSeconds", 0, WhatIf.MAX_TRANSFER_SECONDS).orElse(0));
        return new WhatIfRequest(
                pool,
                decode,
                twin,
                question,
                loadError(body, pool.pool(), decode == null ? pool.pool() : decode.pool()),
                body.flag("search").orElse(true),
                Math.min(
                        WhatIf.MAX_REPLICAS,
                        Math.max(
                                4 * Math.max(question.replicas(), question.decodeReplicas()),
                                pool.pool().settings().scaling().maxReplicas())));
    }

    private static double loadError(JsonBody body, PoolView pool, PoolView decode) {
        double rate = body.has("requestsPerSecond")
                ? 0
                : relativeError(pool.workload().requestsPerSecond());
        double input =
                body.has("inputTokens") ? 0 : relativeError(pool.workload().inputTokens());
        double output =
                body.has("outputTokens") ? 0 : relativeError(decode.workload().outputTokens());
        return Math.min(MOST_ERROR, Math.hypot(rate, Math.hypot(input, output)));
    }

    private static double relativeError(Quantity quantity) {
        return quantity.standardError().orElse(0) / quantity.value().orElse(Double.POSITIVE_INFINITY);
    }

    private static PoolPlan decodePool(PlanView plan, PoolPlan pool, String id) {
        if (pool.pool().settings().role() != Role.PREFILL) {
            throw Problem.field(
                    "decodePool",
                    "decodePool goes with a prefill pool; pool '" + pool.id() + "' has the role "
                            + pool.pool().settings().role().name());
        }
        PoolPlan decode = plan.pool(id)
                .orElseThrow(() -> Problem.field("decodePool", "decodePool: there is no pool '" + id + "'"));
        if (decode.pool().settings().role() != Role.DECODE) {
            throw Problem.field(
                    "decodePool",
                    "decodePool must have the role DECODE; pool '" + id + "' has the role "
                            + decode.pool().settings().role().name());
        }
        return decode;
    }

    /** A what-if rests on learned steps of the regimes that the role needs. */
    private static void requireLearned(PoolPlan plan, Role role) {
        PoolView pool = plan.pool();
        boolean prefill = role == Role.DECODE || knows(pool, StepRegime.PREFILL) || knows(pool, StepRegime.MIXED);
        boolean decode = role == Role.PREFILL || knows(pool, StepRegime.DECODE) || knows(pool, StepRegime.MIXED);
        if (pool.model().snapshot().evidence() == Evidence.COLD || !prefill || !decode) {
            String lacking = prefill == decode ? "steps" : prefill ? "steps that decode" : "steps that prefill";
            throw WhatIfJson.notReady(
                    plan,
                    "pool '" + plan.id() + "' has not learned enough " + lacking + " yet; see the regimes below",
                    List.of());
        }
    }

    private static boolean knows(PoolView pool, StepRegime regime) {
        return pool.model().snapshot().readiness().stream()
                .filter(readiness -> readiness.regime() == regime)
                .map(RegimeReadiness::evidence)
                .anyMatch(evidence -> evidence != Evidence.COLD);
    }

    /** Limits of a rank as the question has them. */
    static EngineLimits limits(JsonBody body, EngineLimits present) {
        if (!body.has("limits")) {
            return present;
        }
        JsonBody limits = body.child("limits", LIMITS);
        return new EngineLimits(
                (int) limits.whole("maxBatchedTokens", 1, MOST_LIMIT).orElse(present.maxBatchedTokens()),
                (int) limits.whole("maxSequences", 1, MOST_LIMIT).orElse(present.maxSequences()),
                limits.has("kvCapacityTokens")
                        ? limits.whole("kvCapacityTokens", 1, Long.MAX_VALUE / 2)
                        : present.kvCapacityTokens(),
                present.schedulingRule(),
                present.contextTokens());
    }

    private static SloTarget slo(JsonBody body, SloTarget present) {
        if (!body.has("slo")) {
            return present;
        }
        JsonBody slo = body.child("slo", SLO);
        return new SloTarget(
                slo.number("ttftSeconds", 1e-6, LONGEST_SECONDS).orElse(present.ttftSeconds()),
                slo.number("itlSeconds", 1e-6, LONGEST_SECONDS).orElse(present.itlSeconds()),
                slo.number("attainment", 1e-6, 1).orElse(present.attainment()));
    }

    private static Routing routing(JsonBody body) {
        return switch (body.word("routing", ROUTINGS).orElse("leastLoaded")) {
            case "roundRobin" -> Routing.ROUND_ROBIN;
            case "random" -> Routing.RANDOM;
            default -> Routing.LEAST_LOADED;
        };
    }

    private static int replicas(JsonBody body, String field, PoolView pool) {
        int present = pool.fleet().suppliedReady().orElse(pool.fleet().live());
        return (int)
                body.whole(field, 1, WhatIf.MAX_REPLICAS).orElse(Math.max(1, Math.min(WhatIf.MAX_REPLICAS, present)));
    }

    /** What is not asked for is as it is at present. */
    private static Workload workload(JsonBody body, PoolPlan pool, PresentTraffic present, OptionalDouble otherRate) {
        OptionalDouble rate = body.number("requestsPerSecond", LEAST_RATE, Workload.MAX_REQUESTS_PER_SECOND);
        Optional<TokenLengths> input = LengthsJson.read(body, "inputTokens").or(present::inputTokens);
        Optional<TokenLengths> output = LengthsJson.read(body, "outputTokens").or(present::outputTokens);
        rate = rate.isPresent() ? rate : otherRate;
        double burstiness = body.number("burstiness", 0.1, 10).orElse(1);
        double cached = body.number("cachedShare", 0, Workload.MAX_CACHED_SHARE).orElse(present.cachedShare());
        List<String> missing = new ArrayList<>();
        if (rate.isEmpty()) {
            missing.add("requestsPerSecond");
        }
        if (input.isEmpty()) {
            missing.add("inputTokens");
        }
        if (output.isEmpty()) {
            missing.add("outputTokens");
        }
        if (!missing.isEmpty()) {
            throw WhatIfJson.notReady(
                    pool,
                    String.join(", ", missing) + " cannot be inferred from the frames yet; give "
                            + (missing.size() == 1 ? "it" : "them") + " in the question",
                    missing);
        }
        return new Workload(rate.getAsDouble(), burstiness, input.get(), output.get(), cached);
    }

    /** What a rank never accepts is not simulated; a capacity that is only inferred refuses nothing. */
    private static void requireFits(Workload workload, EngineLimits limits, PoolPlan pool) {
        double generated = pool.pool().settings().role() == Role.PREFILL
                ? 0
                : workload.outputTokens().mean();
        double longest = workload.inputTokens().mean() + generated;
        long most = limits.longestRequestTokens().orElse(Long.MAX_VALUE);
        if (longest > most) {
            throw Problem.outside(
                    generated > workload.inputTokens().mean() ? "outputTokens" : "inputTokens",
                    "inputTokens and outputTokens together must fit in the context and in the KV cache of a rank: between 1"
                            + " and " + most + " tokens, were " + (long) longest,
                    "1",
                    Long.toString(most));
        }
    }
}
