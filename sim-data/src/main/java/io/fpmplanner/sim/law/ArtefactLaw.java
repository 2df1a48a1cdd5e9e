/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.StepBatch;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.workload.RandomVariates;

/** Another law with {@link Artefacts} on top, for one worker. Not threadsafe; equal seeds give equal artefacts. */
public final class ArtefactLaw implements StepTimeLaw {
    /** Least share of its own time that a step keeps when the one before was given of it. */
    private static final double KEPT_SHARE = 0.05;

    private final StepTimeLaw law;
    private final Artefacts artefacts;
    private final RandomVariates variates;
    private final double workerFactor;
    private long steps;
    private double owedSeconds;
    private double spellEndsSeconds;
    private boolean dropped;
    private double busySeconds;

    public ArtefactLaw(StepTimeLaw law, Artefacts artefacts, long seed) {
        this.law = law;
        this.artefacts = artefacts;
        this.variates = new RandomVariates(seed);
        boolean slow = variates.uniform() < artefacts.slowWorkers().share();
        this.workerFactor = slow ? artefacts.slowWorkers().factor() : 1;
        this.spellEndsSeconds = spell(artefacts.clockDrops().meanSecondsBetween());
    }

    @Override
    public double seconds(StepBatch batch) {
        double seconds = workerFactor * clockFactor() * noise() * (law.seconds(batch) + stairs(batch)) + warmUp();
        steps++;
        busySeconds += seconds;
        return misattributed(seconds);
    }

    private double noise() {
        double sigma = artefacts.noiseSigma();
        double factor = sigma == 0 ? 1 : StrictMath.exp(sigma * variates.gaussian());
        Artefacts.Stragglers stragglers = artefacts.stragglers();
        return stragglers.share() > 0 && variates.uniform() < stragglers.share()
                ? factor * stragglers.factor()
                : factor;
    }

    private double stairs(StepBatch batch) {
        Artefacts.Stairs stairs = artefacts.stairs();
        int graphs = batch.prefillRequests() == 0 ? (batch.decodeRequests() + 7) / 8 : 0;
        return batch.totalTokens() > stairs.eagerAboveTokens()
                ? stairs.eagerSeconds()
                : graphs * stairs.secondsPerGraph();
    }

    private double warmUp() {
        Artefacts.WarmUp warmUp = artefacts.warmUp();
        if (steps >= warmUp.steps() || variates.uniform() >= warmUp.share()) {
            return 0;
        }
        double span = StrictMath.log(warmUp.longestSeconds() / warmUp.shortestSeconds());
        return warmUp.shortestSeconds() * StrictMath.exp(span * variates.uniform());
    }

    private double clockFactor() {
        Artefacts.ClockDrops drops = artefacts.clockDrops();
        while (busySeconds >= spellEndsSeconds) {
            dropped = !dropped;
            double mean = dropped ? drops.meanSecondsLong() : drops.meanSecondsBetween();
            spellEndsSeconds += spell(mean);
        }
        return dropped ? drops.factor() : 1;
    }

    private double spell(double meanSeconds) {
        double length = variates.exponential();
        return Double.isInfinite(meanSeconds) ? meanSeconds : length * meanSeconds;
    }

    /** Gives this step of the next one's time, or takes from it what the one before was given. */
    private double misattributed(double seconds) {
        double taken = Math.min(owedSeconds, (1 - KEPT_SHARE) * seconds);
        owedSeconds -= taken;
        double share = artefacts.misattributedShare();
        if (owedSeconds > 0 || taken > 0 || share == 0 || variates.uniform() >= share) {
            return seconds - taken;
        }
        owedSeconds = (1 - KEPT_SHARE) * seconds;
        return seconds + owedSeconds;
    }
}
