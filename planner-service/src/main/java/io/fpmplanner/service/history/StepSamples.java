/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepWorkload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A few steps of each plan as predicted before they were learned from and as measured; the newest are kept of each regime.
 *
 * <p>The planner's thread adds, another asks for more and reads. {@link #refill} lets the next few of each regime in, so
 * that a fast engine costs no more than a slow one; adding and reading lock, which a step that is not taken does not.
 */
final class StepSamples implements StepListener {
    /** Share of wall times that the interval should hold. */
    static final double INTERVAL = 0.9;

    private static final int CAPACITY = 300;
    private static final int PER_REFILL = 2;

    /**
     * One step.
     *
     * @param atMillis about when
     * @param predictedSeconds the single best guess
     * @param lowSeconds lower end of the interval
     * @param highSeconds upper end of it
     * @param measuredSeconds wall time, put right by the speed of its rank
     */
    record Sample(
            long atMillis, double predictedSeconds, double lowSeconds, double highSeconds, double measuredSeconds) {}

    private static final int REGIMES = StepRegime.values().length;

    private final Sample[][] samples = new Sample[REGIMES][CAPACITY];
    private final long[] added = new long[REGIMES];
    private final int[] allowed = new int[REGIMES];
    private volatile long refilledMillis;
    private long takenUpMillis;

    /** Lets the next few in, as of a moment. */
    void refill(long nowMillis) {
        refilledMillis = nowMillis;
    }

    @Override
    public void beforeLearning(StepTimeModel model, StepWorkload step, double wallTimeSeconds) {
        long now = refilledMillis;
        if (now != takenUpMillis) {
            takenUpMillis = now;
            Arrays.fill(allowed, PER_REFILL);
        }
        int regime = index(step.regime());
        if (allowed[regime] == 0 || model.isCold()) {
            return;
        }
        allowed[regime]--;
        add(
                regime,
                new Sample(
                        now,
                        model.predictSeconds(step),
                        model.predictQuantileSeconds(step, (1 - INTERVAL) / 2),
                        model.predictQuantileSeconds(step, (1 + INTERVAL) / 2),
                        wallTimeSeconds));
    }

    private static int index(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> 0;
            case DECODE -> 1;
            case MIXED -> 2;
        };
    }

    private synchronized void add(int regime, Sample sample) {
        samples[regime][(int) (added[regime]++ % CAPACITY)] = sample;
    }

    /** Oldest first. */
    synchronized List<Sample> of(StepRegime regime) {
        int index = index(regime);
        int size = (int) Math.min(added[index], CAPACITY);
        List<Sample> found = new ArrayList<>(size);
        for (long i = added[index] - size; i < added[index]; i++) {
            found.add(samples[index][(int) (i % CAPACITY)]);
        }
        return found;
    }
}
