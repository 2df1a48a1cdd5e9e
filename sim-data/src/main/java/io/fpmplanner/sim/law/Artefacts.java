/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

/**
 * What real engines do to step times beyond what a law says. Immutable; {@link #NONE} has none, the other methods switch single ones
 * on.
 *
 * @param noiseSigma standard deviation of the logarithm of each step's time, the median being right; in [0, 2]
 * @param stragglers single steps that take several times as long
 * @param warmUp the first steps after a start
 * @param misattributedShare share of the steps whose report takes over time from the one after; the sum of both is right. In
 *     [0, 1]
 * @param stairs captured graphs of fixed sizes
 * @param clockDrops spells of a lower clock
 * @param slowWorkers workers that are slow for good
 */
public record Artefacts(
        double noiseSigma,
        Stragglers stragglers,
        WarmUp warmUp,
        double misattributedShare,
        Stairs stairs,
        ClockDrops clockDrops,
        SlowWorkers slowWorkers) {
    /*
     * Seen in ForwardPassMetrics recorded from vLLM 0.20.1 on B300 (ai-dynamo/aiconfigurator): 0.2 to 6.7 s in the first frames;
     * 808 ms then 12 ms for two equal frames of 8k tokens; stairs of decode time at 9, 17 and 25 requests; a jump from 16 to 40 ms
     * past 512 tokens.
     */
    /** A law as it is. */
    public static final Artefacts NONE =
            new Artefacts(0, Stragglers.NONE, WarmUp.NONE, 0, Stairs.NONE, ClockDrops.NONE, SlowWorkers.NONE);

    public Artefacts {
        Range.require("noiseSigma", noiseSigma, 0, 2);
        Range.require("misattributedShare", misattributedShare, 0, 1);
    }

    /** A calm production engine: 3 % of noise, one step in a thousand tenfold, one in a hundred misattributed, a warm-up. */
    public static Artefacts production() {
        return NONE.withNoise(0.03)
                .withStragglers(new Stragglers(0.001, 10))
                .withWarmUp(new WarmUp(30, 0.1, 0.2, 2))
                .withMisattribution(0.01);
    }

    public Artefacts withNoise(double sigma) {
        return new Artefacts(sigma, stragglers, warmUp, misattributedShare, stairs, clockDrops, slowWorkers);
    }

    public Artefacts withStragglers(Stragglers newStragglers) {
        return new Artefacts(noiseSigma, newStragglers, warmUp, misattributedShare, stairs, clockDrops, slowWorkers);
    }

    public Artefacts withWarmUp(WarmUp newWarmUp) {
        return new Artefacts(noiseSigma, stragglers, newWarmUp, misattributedShare, stairs, clockDrops, slowWorkers);
    }

    public Artefacts withMisattribution(double share) {
        return new Artefacts(noiseSigma, stragglers, warmUp, share, stairs, clockDrops, slowWorkers);
    }

    public Artefacts withStairs(Stairs newStairs) {
        return new Artefacts(noiseSigma, stragglers, warmUp, misattributedShare, newStairs, clockDrops, slowWorkers);
    }

    public Artefacts withClockDrops(ClockDrops newClockDrops) {
        return new Artefacts(noiseSigma, stragglers, warmUp, misattributedShare, stairs, newClockDrops, slowWorkers);
    }

    public Artefacts withSlowWorkers(SlowWorkers newSlowWorkers) {
        return new Artefacts(noiseSigma, stragglers, warmUp, misattributedShare, stairs, clockDrops, newSlowWorkers);
    }

    /**
     * Single long steps.
     *
     * @param share of the steps; in [0, 1]
     * @param factor how many times as long; in [1, 1000]
     */
    public record Stragglers(double share, double factor) {
        public static final Stragglers NONE = new Stragglers(0, 1);

        public Stragglers {
            Range.require("stragglers' share", share, 0, 1);
            Range.require("stragglers' factor", factor, 1, 1000);
        }
    }

    /**
     * Compilation and graph capture in the first steps after a start.
     *
     * @param steps how many first steps may be hit; &ge; 0
     * @param share share of them that is; in [0, 1]
     * @param shortestSeconds what those take longer, drawn log-uniformly from here
     * @param longestSeconds to here; at most 600
     */
    public record WarmUp(int steps, double share, double shortestSeconds, double longestSeconds) {
        public static final WarmUp NONE = new WarmUp(0, 0, 1, 1);

        public WarmUp {
            Range.require("warm-up steps", steps, 0, 1_000_000);
            Range.require("warm-up share", share, 0, 1);
            Range.require("longestSeconds", longestSeconds, 1e-6, 600);
            Range.require("shortestSeconds", shortestSeconds, 1e-6, longestSeconds);
        }
    }

    /**
     * Steps run as graphs captured for multiples of 8 requests, long ones without a graph.
     *
     * @param secondsPerGraph what each further multiple of 8 decoding requests costs in a step without prompts; in [0, 1]
     * @param eagerAboveTokens steps of more tokens than this are launched kernel by kernel
     * @param eagerSeconds what that costs; in [0, 10]
     */
    public record Stairs(double secondsPerGraph, int eagerAboveTokens, double eagerSeconds) {
        public static final Stairs NONE = new Stairs(0, Integer.MAX_VALUE, 0);

        public Stairs {
            Range.require("secondsPerGraph", secondsPerGraph, 0, 1);
            Range.require("eagerAboveTokens", eagerAboveTokens, 0, Integer.MAX_VALUE);
            Range.require("eagerSeconds", eagerSeconds, 0, 10);
        }
    }

    /**
     * Spells in which everything takes longer: power or thermal limits.
     *
     * @param meanSecondsBetween busy seconds from the end of one to the next, exponential; infinite for none
     * @param meanSecondsLong how long one lasts, busy seconds, exponential
     * @param factor how many times as long steps take in it; in [1, 1000]
     */
    public record ClockDrops(double meanSecondsBetween, double meanSecondsLong, double factor) {
        public static final ClockDrops NONE = new ClockDrops(Double.POSITIVE_INFINITY, 0, 1);

        public ClockDrops {
            Range.require("meanSecondsBetween", meanSecondsBetween, 1e-3, Double.POSITIVE_INFINITY);
            Range.require("meanSecondsLong", meanSecondsLong, 0, 1e9);
            Range.require("clock drops' factor", factor, 1, 1000);
        }
    }

    /**
     * Workers that are slow for good.
     *
     * @param share of the workers; in [0, 1]
     * @param factor how many times as long all their steps take; in [1, 1000]
     */
    public record SlowWorkers(double share, double factor) {
        public static final SlowWorkers NONE = new SlowWorkers(0, 1);

        public SlowWorkers {
            Range.require("slow workers' share", share, 0, 1);
            Range.require("slow workers' factor", factor, 1, 1000);
        }
    }

    /** Apart from {@link Artefacts}, whose constants need those of the records that call it: neither may wait for the other. */
    private static final class Range {
        private static void require(String name, double value, double lowest, double highest) {
            if (!(value >= lowest && value <= highest)) {
                throw new IllegalArgumentException(
                        name + " must lie between " + lowest + " and " + highest + ", was " + value);
            }
        }
    }
}
