/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.StepTimes;
import io.fpmplanner.core.latency.StepTimes.PrefillChunk;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads the service curve of one replica off the learned step times. One use. */
final class CurveBuilder {
    /*
     * In steady state a batch of m requests takes m * promptTokens / outputTokens prompt tokens into each step. Batches
     * grow until the room for prompts, the sequence limit or the KV cache is used up.
     *
     * The batch is bounded by SEEN_FACTOR times the largest one seen, beyond which step times are guesses, but not
     * below FEWEST: a fleet that just woke up has seen little.
     *
     * An objective that a lone request on an idle replica misses cannot be met by any fleet. It is then left out
     * (ITL: replaced by ITL_SLACK times what is possible), so that it does not inflate the fleet.
     */
    private static final double SEEN_FACTOR = 3;
    private static final double FEWEST = 16;
    private static final double ITL_SLACK = 1.5;
    private static final double GROWTH = 1.25;
    /* What was learned from few steps may be so far off the pace at which they really come. */
    private static final double MOST_OFF = 2;
    private static final double DOUBTED_STEPS = 8;
    private static final double ASSUMED_OUTPUT_TOKENS = 256;
    /* Replicas that share the load, for the one figure that is reported. */
    private static final int SHARING = 4;

    private final StepTimes times;
    private final Role role;
    private final EngineLimits limits;
    private final SloTarget slo;
    private final double attainment;
    private final boolean decodeFirst;
    private final double promptTokens;
    private final double cachedTokens;
    private final double contextTokens;
    private final double contextVariance;
    private final double promptVariance;
    private final double outputTokens;
    private final boolean outputKnown;
    private final double prefillPerDecode;
    private final double largestSeen;
    private final double prefillSeen;
    private final int ranks;
    private double slowness = 1;

    private CurveBuilder(PoolView pool, PoolLoad.Traffic traffic, double attainment) {
        this.times = new StepTimes(pool);
        this.role = pool.settings().role();
        this.limits = pool.settings().limits();
        this.slo = pool.settings().slo();
        this.attainment = attainment;
        this.decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.promptTokens = Math.max(1, traffic.inputTokens().orElse(1));
        double cachedShare = Math.min(0.95, traffic.cachedShare().orElse(0));
        this.cachedTokens = promptTokens * cachedShare / (1 - cachedShare);
        this.outputKnown = traffic.outputTokens().isPresent();
        this.outputTokens = Math.max(1, traffic.outputTokens().orElse(ASSUMED_OUTPUT_TOKENS));
        this.contextTokens = traffic.contextTokens().orElse(promptTokens + cachedTokens + outputTokens / 2);
        double deviation = traffic.contextDeviation().orElse(0);
        this.contextVariance = deviation * deviation;
        double unequal = traffic.inputDeviation().orElse(0);
        this.promptVariance = unequal * unequal;
        this.prefillPerDecode = role == Role.AGGREGATED ? prefillPerDecode(traffic) : 0;
        var seen = pool.model().snapshot().report().seen();
        this.largestSeen = Math.max(1, seen.decodeRequests());
        this.prefillSeen = seen.prefillTokens();
        this.ranks = Math.max(1, pool.fleet().ranksPerWorker());
    }

    /** What one replica can do: the curve, and what is said of it. */
    record Service(ServiceCurve curve, ReplicaCapacity capacity, double requestsPerSecond) {
        /** Replicas for so many requests/s, before rounding. */
        double replicasFor(double demand) {
            return requestsPerSecond > 0 ? demand / requestsPerSecond : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * The curve of one replica; empty while the frames do not tell what the requests are like.
     *
     * @param traffic what requests are like
     * @param attainment share of requests that shall meet the objectives, for the capacity that is reported
     * @param pace how fast steps come, if few of them are seen: the curve goes through that point
     */
    static Optional<Service> build(PoolView pool, PoolLoad.Traffic traffic, double attainment, StepPace pace) {
        Role role = pool.settings().role();
        StepTimes known = new StepTimes(pool);
        // Where few steps are seen, and none of prompts among them, prompts take next to no time.
        boolean negligible = role == Role.AGGREGATED && pace.isKnown();
        boolean prefillMissing = role != Role.DECODE
                && ((!known.knowsPrefill() && !negligible)
                        || traffic.inputTokens().isEmpty());
        boolean decodeMissing = role != Role.PREFILL
                && (!known.knowsDecode() || traffic.contextTokens().isEmpty());
        if (prefillMissing || decodeMissing) {
            return Optional.empty();
        }
        CurveBuilder builder = new CurveBuilder(pool, traffic, attainment);
        if (pace.isKnown() && role != Role.PREFILL) {
            double expected = builder.itl(Math.max(1, pace.meanBatch()));
            double off = Math.max(1 / MOST_OFF, Math.min(MOST_OFF, pace.meanSeconds() / expected));
            builder.slowness = Math.pow(off, DOUBTED_STEPS / (DOUBTED_STEPS + DemandReader.stepsLearned(pool)));
        }
        return Optional.of(role == Role.PREFILL ? builder.prefill() : builder.batches());
    }

    private double prefillPerDecode(PoolLoad.Traffic traffic) {
        if (outputKnown || traffic.decodeTokensPerSecond() <= 0) {
            return promptTokens / Math.max(1, outputTokens - 1);
        }
        return traffic.prefillTokensPerSecond() / traffic.decodeTokensPerSecond();
    }

    /** Tokens decoded per request: the first comes with the prefill. */
    private double decodedTokens() {
        boolean fromRatio = !outputKnown && prefillPerDecode > 0;
        double whole = fromRatio ? promptTokens / prefillPerDecode + 1 : outputTokens;
        return Math.max(1, whole - (role == Role.AGGREGATED ? 1 : 0));
    }

    private Service batches() {
        double alone = itl(1);
        boolean itlReachable = alone <= slo.itlSeconds();
        boolean ttftReachable = role == Role.DECODE || ownPrefill(1) <= slo.ttftSeconds();
        double itlBound = itlReachable ? slo.itlSeconds() : ITL_SLACK * alone;
        double[] sizes = sizes(largestBatch());
        int n = sizes.length;
        double[] rate = new double[n];
        double[] itl = new double[n];
        double[] own = new double[n];
        double[] use = new double[n];
        for (int i = 0; i < n; i++) {
            itl[i] = Math.max(i == 0 ? 0 : itl[i - 1], itl(Math.max(1, sizes[i])));
            double steady = ranks * sizes[i] / (decodedTokens() * itl[i]);
            rate[i] = Math.max(i == 0 ? 0 : rate[i - 1], steady);
            own[i] = role == Role.DECODE ? 0 : ownPrefill(sizes[i]);
            use[i] = Math.min(1, prefillUse(sizes[i]));
        }
        ServiceCurve curve = new ServiceCurve(
                role,
                slo,
                new ServiceCurve.Points(sizes, rate, itl, own, use),
                decodedTokens(),
                itlBound,
                ttftReachable);
        return service(curve, itlReachable && ttftReachable);
    }

    private static double[] sizes(double largest) {
        double[] sizes = new double[64];
        int n = 1;
        double next = 1;
        while (next < largest && n < sizes.length - 1) {
            sizes[n++] = next;
            next = Math.max(next + 1, Math.floor(next * GROWTH));
        }
        sizes[n++] = largest;
        return java.util.Arrays.copyOf(sizes, n);
    }

    private double largestBatch() {
        double most = Math.min(limits.maxSequences(), Math.max(FEWEST, SEEN_FACTOR * largestSeen));
        if (limits.kvCapacityTokens().isPresent()) {
            most = Math.min(most, limits.kvCapacityTokens().getAsLong() / Math.max(1, contextTokens));
        }
        if (prefillPerDecode > 0) {
            // Where the room for prompts is used up: m * prefillPerDecode = budget, less m where decodes use it too.
            most = Math.min(most, limits.maxBatchedTokens() / (prefillPerDecode + (decodeFirst ? 1 : 0)));
        } else if (decodeFirst) {
            most = Math.min(most, limits.maxBatchedTokens() - 1);
        }
        return Math.max(1, most);
    }

    private double prefillUse(double batch) {
        double room = limits.maxBatchedTokens() - (decodeFirst ? batch : 0);
        return room <= 0 ? 1 : batch * prefillPerDecode / room;
    }

    /** Mean time between tokens of a batch, prefill of its successors included, seconds. */
    private double itl(double batch) {
        return slowness * learnedItl(batch);
    }

    private double learnedItl(double batch) {
        double decodeOnly = decodes(batch).meanSeconds();
        double perStep = batch * prefillPerDecode;
        if (perStep <= 0) {
            return decodeOnly;
        }
        double room = Math.max(1, limits.maxBatchedTokens() - (decodeFirst ? batch : 0));
        double chunk = Math.max(1, Math.min(room, Math.max(promptTokens, decodeFirst ? perStep : 0)));
        double withPrefill = beside(batch).with(chunk(chunk)).meanSeconds();
        double share = perStep / chunk;
        return decodeFirst
                ? decodeOnly + Math.min(1, share) * (withPrefill - decodeOnly)
                : decodeOnly + share * withPrefill;
    }

    private StepTimes decodes(double batch) {
        return times.decode(batch, batch * contextTokens, contextVariance);
    }

    /** The decodes that run in the same step as a prompt. */
    private StepTimes beside(double batch) {
        return decodes(decodeFirst ? batch : 0);
    }

    private PrefillChunk chunk(double tokens) {
        double earlier = promptTokens > tokens ? (promptTokens - tokens) / 2 : 0;
        double requests = Math.max(1, tokens / promptTokens);
        return new PrefillChunk(
                requests, tokens, requests * (cachedTokens + earlier), requests > 1 ? promptVariance : 0);
    }

    /** Time to compute one typical prompt beside a batch, nothing waiting, seconds. */
    private double ownPrefill(double batch) {
        double room = Math.max(1, limits.maxBatchedTokens() - (decodeFirst ? batch : 0));
        double chunks = Math.ceil(promptTokens / room);
        return chunks * beside(batch).with(chunk(promptTokens / chunks)).meanSeconds();
    }

    private Service prefill() {
        double own = ownPrefill(0);
        double step =
                Math.max(1, Math.min(limits.maxBatchedTokens(), Math.max(promptTokens, SEEN_FACTOR * prefillSeen)));
        double tokensPerSecond = step / decodes(0).with(chunk(step)).meanSeconds() * ranks;
        double rate = tokensPerSecond / promptTokens;
        boolean reachable = own <= slo.ttftSeconds();
        ServiceCurve.Points line = new ServiceCurve.Points(
                new double[] {0, 0},
                new double[] {0, rate},
                new double[] {0, 0},
                new double[] {own, own},
                new double[] {0, 1});
        ServiceCurve curve = new ServiceCurve(role, slo, line, 0, Double.POSITIVE_INFINITY, reachable);
        return service(curve, reachable);
    }

    private Service service(ServiceCurve curve, boolean reachable) {
        double rate = curve.rateWithin(attainment, SHARING);
        return new Service(curve, capacity(curve, rate, reachable), rate);
    }

    private ReplicaCapacity capacity(ServiceCurve curve, double rate, boolean reachable) {
        double batch = curve.batchAt(rate);
        StepTimes chosen = times.restart();
        double itl = role == Role.PREFILL ? 0 : itl(Math.max(1, batch));
        double own = role == Role.DECODE ? 0 : ownPrefill(batch);
        Evidence evidence = chosen.weakest();
        if (batch > largestSeen && evidence == Evidence.READY) {
            evidence = Evidence.EXTRAPOLATING;
        }
        double saturated = curve.saturatedRate();
        return new ReplicaCapacity(
                batch,
                role == Role.DECODE ? 0 : rate * promptTokens,
                role == Role.PREFILL ? 0 : rate * decodedTokens(),
                outputKnown || role == Role.PREFILL ? OptionalDouble.of(rate) : OptionalDouble.empty(),
                saturated > 0 ? Math.min(1, rate / saturated) : 0,
                itl,
                own,
                reachable,
                evidence);
    }
}
