/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** TTFT and ITL of one pool's engines as Dynamo's planner estimates them, and what follows from them. Not threadsafe. */
final class DynamoPoolEstimate {
    /*
     * With P, N, B, K, Q, Kq the prompt tokens, prompts, decodes and KV tokens scheduled, and the prompt tokens and KV
     * tokens queued: TTFT is n full chunks and a rest of Q + mean(P / N) tokens, the decode batch riding along; ITL of a
     * decode engine is the step with mean(B) + 1 requests and K + Kq + mean(K / B) tokens, of an aggregated one the step
     * with mean(P) prompt tokens and those KV tokens. Means are over 64 values from the first that is not 0.
     */
    private static final double SENSITIVITY = 0.8;

    private final EngineKind kind;
    private final PoolTask pool;
    private final LatencyObjective objective;
    private final DynamoStepRegression regression;
    private final RecentMean prompt = new RecentMean();
    private final RecentMean prefillTokens = new RecentMean();
    private final RecentMean decodes = new RecentMean();
    private final RecentMean context = new RecentMean();

    /** A change of the number of replicas and why. */
    record Change(int by, String reason) {}

    private DynamoPoolEstimate(PoolTask pool, LatencyObjective objective, DynamoStepRegression regression) {
        this.pool = pool;
        this.kind = pool.engine().kind();
        this.objective = objective;
        this.regression = regression;
    }

    static DynamoPoolEstimate of(PoolTask pool, LatencyObjective objective) {
        DynamoStepRegression regression = switch (pool.engine().kind()) {
            case PREFILL_ONLY -> new DynamoStepRegression(1, false);
            case DECODE_ONLY -> new DynamoStepRegression(2, true);
            case AGGREGATED -> new DynamoStepRegression(2, false);
        };
        return new DynamoPoolEstimate(pool, objective, regression);
    }

    void observe(ForwardPassMetrics frame) {
        var scheduled = frame.scheduled();
        double prompts = scheduled.numPrefillRequests();
        double batch = scheduled.numDecodeRequests();
        prompt.add(prompts == 0 ? 0 : scheduled.sumPrefillTokens() / prompts);
        prefillTokens.add((double) scheduled.sumPrefillTokens());
        decodes.add(batch);
        context.add(batch == 0 ? 0 : scheduled.sumDecodeKvTokens() / batch);
        if (frame.wallTimeSeconds() <= 0) {
            return;
        }
        double first = kind == EngineKind.DECODE_ONLY ? batch : (double) scheduled.sumPrefillTokens();
        regression.observe(first, (double) scheduled.sumDecodeKvTokens(), frame.wallTimeSeconds());
    }

    /** Empty while there is no model. */
    Optional<Change> change(List<ForwardPassMetrics> engines, int ready, int fewest) {
        return regression.fit().map(fit -> change(fit, engines, ready, fewest));
    }

    private Change change(DynamoStepRegression.Fit fit, List<ForwardPassMetrics> engines, int ready, int fewest) {
        boolean hasTtft = kind != EngineKind.DECODE_ONLY;
        boolean hasItl = kind != EngineKind.PREFILL_ONLY;
        boolean ttftUp = hasTtft && engines.stream().allMatch(engine -> ttft(fit, engine, 1) > objective.ttftSeconds());
        boolean itlUp = hasItl && engines.stream().allMatch(engine -> itl(fit, engine, 1) > objective.itlSeconds());
        String reason = String.format(
                Locale.ROOT,
                "predicted of engines at most TTFT %.3f s, ITL %.4f s",
                hasTtft
                        ? engines.stream()
                                .mapToDouble(engine -> ttft(fit, engine, 1))
                                .max()
                                .orElse(0)
                        : 0,
                hasItl
                        ? engines.stream()
                                .mapToDouble(engine -> itl(fit, engine, 1))
                                .max()
                                .orElse(0)
                        : 0);
        if (ttftUp || itlUp) {
            return new Change(1, reason);
        }
        boolean possible = ready > 1 && ready - 1 >= fewest;
        double crowding = possible ? (double) ready / (ready - 1) : 1;
        boolean down = possible
                && (!hasTtft || engines.stream().allMatch(engine -> ttftAllows(fit, engine, crowding)))
                && (!hasItl || engines.stream().allMatch(engine -> itlAllows(fit, engine, crowding)));
        return new Change(down ? -1 : 0, reason);
    }

    private boolean ttftAllows(DynamoStepRegression.Fit fit, ForwardPassMetrics engine, double crowding) {
        double own = chunks(fit, prompt.mean(), decodeKv(engine) * crowding);
        double budget = (objective.ttftSeconds() - own) * SENSITIVITY;
        return budget > 0 && ttft(fit, engine, crowding) - own < budget;
    }

    private boolean itlAllows(DynamoStepRegression.Fit fit, ForwardPassMetrics engine, double crowding) {
        double queuedPrompts =
                kind == EngineKind.AGGREGATED ? (double) engine.queued().sumPrefillTokens() : 0;
        double kv = Math.floor((decodeKv(engine) + queuedPrompts) * crowding);
        return kv < pool.engine().kvCapacityTokens()
                && itl(fit, engine, crowding) < objective.itlSeconds() * SENSITIVITY;
    }

    private double ttft(DynamoStepRegression.Fit fit, ForwardPassMetrics engine, double crowding) {
        double tokens = Math.ceil(engine.queued().sumPrefillTokens() * crowding + prompt.mean());
        double kv = crowding == 1 ? (double) engine.scheduled().sumDecodeKvTokens() : decodeKv(engine) * crowding;
        return chunks(fit, tokens, kv);
    }

    private double chunks(DynamoStepRegression.Fit fit, double tokens, double kv) {
        double decodeKv = kind == EngineKind.AGGREGATED ? kv : 0;
        int budget = pool.engine().maxBatchedTokens();
        long full = (long) (tokens / budget);
        double rest = tokens - full * budget;
        return full * fit.seconds(budget, decodeKv) + (rest > 0 ? fit.seconds(rest, decodeKv) : 0);
    }

    private double itl(DynamoStepRegression.Fit fit, ForwardPassMetrics engine, double crowding) {
        double kv = decodeKv(engine) * crowding + context.mean();
        return fit.seconds(kind == EngineKind.DECODE_ONLY ? decodes.mean() * crowding + 1 : prefillTokens.mean(), kv);
    }

    private static double decodeKv(ForwardPassMetrics engine) {
        return (double) engine.scheduled().sumDecodeKvTokens() + engine.queued().sumDecodeKvTokens();
    }

    /** Mean of the last values, from the first on that is not 0. */
    private static final class RecentMean {
        private static final int LENGTH = 64;

        private final Deque<Double> values = new ArrayDeque<>();

        void add(double value) {
            if (values.isEmpty() && value == 0) {
                return;
            }
            values.addLast(value);
            if (values.size() > LENGTH) {
                values.removeFirst();
            }
        }

        double mean() {
            return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        }
    }
}
