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

/** What one saturated replica can serve within the latency objectives, from the learned step times. */
final class CapacityModel {
    /*
     * Saturated means: the largest decode batch b whose mean time between tokens meets the objective while each step
     * also computes the prompts that keep b requests coming, b * promptTokens / outputTokens tokens a step. All
     * batches are tried from the largest down; a grid would skip the only feasible ones at tight objectives.
     *
     * The batch is bounded by twice the largest one seen, beyond which step times are guesses. The bound rises with the
     * load, so it only delays packing a lightly loaded fleet tighter.
     *
     * An objective that a lone request on an idle replica misses cannot be met by any fleet. It is then left out
     * (ITL: replaced by ITL_SLACK times what is possible), so that it does not inflate the fleet.
     */
    private static final double MARGIN = 1.05;
    private static final double SEEN_FACTOR = 2;
    private static final double ITL_SLACK = 1.5;
    private static final double ASSUMED_OUTPUT_TOKENS = 256;
    private static final double LEAST_UTILISATION = 0.2;

    private final StepTimes times;
    private final EngineLimits limits;
    private final SloTarget slo;
    private final double targetUtilisation;
    private final boolean decodeFirst;
    private final double promptTokens;
    private final double cachedTokens;
    private final double contextTokens;
    private final double outputTokens;
    private final boolean outputKnown;
    private final double prefillPerDecode;
    private final int largestSeen;
    private final double prefillSeen;
    private final int ranks;

    private CapacityModel(PoolView pool, double promptTokens) {
        PoolLoad.Traffic traffic = pool.load().traffic();
        this.times = new StepTimes(pool);
        this.limits = pool.settings().limits();
        this.slo = pool.settings().slo();
        this.targetUtilisation = pool.settings().scaling().targetUtilisation();
        this.decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.promptTokens = promptTokens;
        double cachedShare = Math.min(0.95, traffic.cachedShare().orElse(0));
        this.cachedTokens = promptTokens * cachedShare / (1 - cachedShare);
        this.outputKnown = traffic.outputTokens().isPresent();
        this.outputTokens = Math.max(1, traffic.outputTokens().orElse(ASSUMED_OUTPUT_TOKENS));
        this.contextTokens = traffic.contextTokens().orElse(promptTokens + cachedTokens + outputTokens / 2);
        this.prefillPerDecode = prefillPerDecode(traffic);
        this.largestSeen =
                (int) Math.max(1, pool.model().snapshot().report().seen().decodeRequests());
        this.prefillSeen = pool.model().snapshot().report().seen().prefillTokens();
        this.ranks = Math.max(1, pool.fleet().ranksPerWorker());
    }

    private double prefillPerDecode(PoolLoad.Traffic traffic) {
        if (outputKnown || traffic.decodeTokensPerSecond() <= 0) {
            return promptTokens / Math.max(1, outputTokens - 1);
        }
        return traffic.prefillTokensPerSecond() / traffic.decodeTokensPerSecond();
    }

    /** Capacity of one replica; empty while the frames do not tell what the requests are like. */
    static Optional<ReplicaCapacity> of(PoolView pool) {
        Role role = pool.settings().role();
        PoolLoad.Traffic traffic = pool.load().traffic();
        StepTimes known = new StepTimes(pool);
        boolean needsPrefill = role != Role.DECODE;
        boolean needsDecode = role != Role.PREFILL;
        if ((needsPrefill && (!known.knowsPrefill() || traffic.inputTokens().isEmpty()))
                || (needsDecode
                        && (!known.knowsDecode() || traffic.contextTokens().isEmpty()))) {
            return Optional.empty();
        }
        CapacityModel model =
                new CapacityModel(pool, Math.max(1, traffic.inputTokens().orElse(1)));
        return Optional.of(role == Role.PREFILL ? model.prefillCapacity() : model.batchCapacity(role));
    }

    private ReplicaCapacity batchCapacity(Role role) {
        boolean prefills = role == Role.AGGREGATED;
        boolean itlReachable = itl(1, prefills) * MARGIN <= slo.itlSeconds();
        boolean ttftReachable = !prefills || ownPrefill(1) <= slo.ttftSeconds();
        double itlBound = itlReachable ? slo.itlSeconds() : ITL_SLACK * MARGIN * itl(1, prefills);
        int batch = largestBatch();
        while (batch > 1 && !feasible(batch, prefills, itlBound, ttftReachable)) {
            batch--;
        }
        StepTimes chosen = times.restart();
        double itl = itl(batch, prefills);
        double decodeRate = batch / itl * ranks;
        double prefillRate = prefills ? decodeRate * prefillPerDecode : 0;
        OptionalDouble requests = outputKnown
                ? OptionalDouble.of(decodeRate / Math.max(1, outputTokens - (prefills ? 1 : 0)))
                : OptionalDouble.empty();
        return new ReplicaCapacity(
                batch,
                prefillRate,
                decodeRate,
                requests,
                targetUtilisation,
                itl,
                prefills ? ownPrefill(batch) : 0,
                itlReachable && ttftReachable,
                batch > largestSeen ? extrapolating(chosen.weakest()) : chosen.weakest());
    }

    private static Evidence extrapolating(Evidence evidence) {
        return evidence == Evidence.READY ? Evidence.EXTRAPOLATING : evidence;
    }

    private int largestBatch() {
        double most = Math.min(limits.maxSequences(), SEEN_FACTOR * largestSeen);
        if (limits.kvCapacityTokens().isPresent()) {
            most = Math.min(most, limits.kvCapacityTokens().getAsLong() / Math.max(1, contextTokens));
        }
        if (decodeFirst) {
            most = Math.min(most, limits.maxBatchedTokens() - 1);
        }
        return (int) Math.max(1, most);
    }

    private boolean feasible(int batch, boolean prefills, double itlBound, boolean ttftCounts) {
        if (prefills && prefillUtilisation(batch) >= 1) {
            return false;
        }
        double itl = itl(batch, prefills);
        if (itl * MARGIN > itlBound) {
            return false;
        }
        return !prefills || !ttftCounts || ttft(batch, itl) <= slo.ttftSeconds();
    }

    /** Share of the room for prompt tokens that is used when each step computes what the batch needs. */
    private double prefillUtilisation(int batch) {
        double room = limits.maxBatchedTokens() - (decodeFirst ? batch : 0);
        return room <= 0 ? 1 : batch * prefillPerDecode / room;
    }

    /** Mean time between tokens of a batch, prefill of its successors included, seconds. */
    private double itl(int batch, boolean prefills) {
        double kvTokens = batch * contextTokens;
        double decodeOnly = times.decode(batch, kvTokens).meanSeconds();
        double perStep = batch * prefillPerDecode;
        if (!prefills || perStep <= 0) {
            return decodeOnly;
        }
        double room = limits.maxBatchedTokens() - (decodeFirst ? batch : 0);
        double chunk = Math.max(1, Math.min(room, Math.max(promptTokens, decodeFirst ? perStep : 0)));
        double withPrefill = times.mixed(chunk(chunk), decodeFirst ? batch : 0, decodeFirst ? kvTokens : 0)
                .meanSeconds();
        double share = perStep / chunk;
        return decodeFirst
                ? decodeOnly + Math.min(1, share) * (withPrefill - decodeOnly)
                : decodeOnly + share * withPrefill;
    }

    private PrefillChunk chunk(double tokens) {
        double earlier = promptTokens > tokens ? (promptTokens - tokens) / 2 : 0;
        double requests = Math.max(1, tokens / promptTokens);
        return new PrefillChunk(requests, tokens, requests * (cachedTokens + earlier));
    }

    /** Prefill time of one typical prompt beside a batch, nothing waiting, seconds. */
    private double ownPrefill(int batch) {
        double room = Math.max(1, limits.maxBatchedTokens() - (decodeFirst ? batch : 0));
        double chunks = Math.ceil(promptTokens / room);
        double kvTokens = batch * contextTokens;
        return chunks
                * times.mixed(chunk(promptTokens / chunks), decodeFirst ? batch : 0, decodeFirst ? kvTokens : 0)
                        .meanSeconds();
    }

    /** Mean TTFT at that load: half a step to wait, the prefill, and the queue of an M/D/1 server. */
    private double ttft(int batch, double itl) {
        double utilisation = Math.min(0.99, prefillUtilisation(batch) * targetUtilisation);
        return itl / 2 + ownPrefill(batch) * (1 + utilisation / (2 * (1 - utilisation)));
    }

    private ReplicaCapacity prefillCapacity() {
        double own = ownPrefill(0);
        double step =
                Math.max(1, Math.min(limits.maxBatchedTokens(), Math.max(promptTokens, SEEN_FACTOR * prefillSeen)));
        StepTimes chosen = times.restart();
        double rate = step / chosen.mixed(chunk(step), 0, 0).meanSeconds() * ranks;
        boolean reachable = own <= slo.ttftSeconds();
        return new ReplicaCapacity(
                0,
                rate,
                0,
                OptionalDouble.of(rate / promptTokens),
                reachable ? utilisationWithinTtft(own) : targetUtilisation,
                0,
                own,
                reachable,
                chosen.weakest());
    }

    /**
     * The utilisation at which own prefill and mean wait together meet the TTFT objective: in an M/M/1 queue the wait
     * is u / (1 - u) service times. Never above the target.
     */
    private double utilisationWithinTtft(double own) {
        double slack = slo.ttftSeconds() - own;
        return Math.max(LEAST_UTILISATION, Math.min(targetUtilisation, slack / (slack + own)));
    }
}
