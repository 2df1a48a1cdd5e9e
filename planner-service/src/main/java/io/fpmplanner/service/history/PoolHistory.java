/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.scaling.Recommendation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The past of one pool: three {@link Tier}s, each coarser and longer than the one before, and its newest decisions. Not
 * threadsafe; its memory is bounded by what is allotted at the start.
 */
final class PoolHistory {
    /** Seconds that the history goes back. */
    static final int MOST_SECONDS = 21_600;

    private static final long[] STEP_MILLIS = {1_000, 5_000, 30_000};
    private static final int[] STEPS = {600, 720, MOST_SECONDS / 30};
    private static final int DECISIONS = 200;
    private static final int FEWEST_DECISIONS = 20;
    private static final int MOST_MESSAGE = 500;
    /** A new reason alone is worth a line only so long after the line before. */
    private static final long QUIET_MILLIS = 10_000;

    private static final double[] PROBABILITIES = {0.5, 0.9};

    private final List<Tier> tiers = new ArrayList<>();
    private final int mostDecisions;
    private final Deque<Decision> decisions = new ArrayDeque<>();
    private final double[] row = new double[Series.count()];
    private final double[] quantiles = new double[PROBABILITIES.length];
    private @Nullable ObservedLatency ttft;
    private @Nullable ObservedLatency itl;
    private long firstMillis = Long.MAX_VALUE;

    /** @param coarseness steps are so many times as long as usual and so many times fewer, &ge; 1 */
    PoolHistory(int coarseness) {
        for (int i = 0; i < STEPS.length; i++) {
            tiers.add(new Tier(STEP_MILLIS[i] * coarseness, Math.max(1, STEPS[i] / coarseness)));
        }
        mostDecisions = Math.max(FEWEST_DECISIONS, DECISIONS / coarseness);
    }

    void add(PoolPlan plan, long nowMillis) {
        Series.read(plan, row);
        quantiles(ttft, nowMillis, Series.TTFT_OBSERVED_P50, Series.TTFT_OBSERVED_P90);
        quantiles(itl, nowMillis, Series.ITL_OBSERVED_P50, Series.ITL_OBSERVED_P90);
        tiers.forEach(tier -> tier.add(nowMillis, row, plan.recommendation().evidence()));
        firstMillis = Math.min(firstMillis, nowMillis);
        decide(plan.recommendation(), nowMillis);
    }

    private void quantiles(@Nullable ObservedLatency observed, long nowMillis, Series p50, Series p90) {
        if (observed != null) {
            observed.quantiles(nowMillis, PROBABILITIES, quantiles);
            p50.put(row, quantiles[0]);
            p90.put(row, quantiles[1]);
        }
    }

    private void decide(Recommendation made, long nowMillis) {
        Decision last = decisions.peekLast();
        OptionalInt previous = last == null ? OptionalInt.empty() : last.desired();
        boolean same = last != null && previous.equals(made.desired()) && last.status() == made.status();
        if (last != null && same && (last.reason() == made.reason() || nowMillis - last.atMillis() < QUIET_MILLIS)) {
            return;
        }
        if (decisions.size() == mostDecisions) {
            decisions.removeFirst();
        }
        String message = made.message();
        decisions.addLast(new Decision(
                nowMillis,
                previous,
                made.desired(),
                made.status(),
                made.reason(),
                made.limitedBy(),
                message.length() > MOST_MESSAGE ? message.substring(0, MOST_MESSAGE) : message));
    }

    void observed(LatencyObservation observation, long nowMillis) {
        if (observation.ttftSeconds().isPresent()) {
            ttft = ttft == null ? new ObservedLatency() : ttft;
            ttft.add(nowMillis, observation.ttftSeconds().getAsDouble());
        }
        if (observation.itlSeconds().isPresent()) {
            itl = itl == null ? new ObservedLatency() : itl;
            itl.add(nowMillis, observation.itlSeconds().getAsDouble());
        }
    }

    /** The finest tier that goes back that far. */
    Tier tier(long millis) {
        return tiers.stream()
                .filter(tier -> tier.spanMillis() >= millis)
                .findFirst()
                .orElse(tiers.get(tiers.size() - 1));
    }

    /** Oldest first. */
    List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /** When it began; {@link Long#MAX_VALUE} while it is empty. */
    long firstMillis() {
        return firstMillis;
    }

    /** Bytes that its arrays of curves take. */
    long bytes() {
        return tiers.stream().mapToLong(Tier::bytes).sum();
    }
}
