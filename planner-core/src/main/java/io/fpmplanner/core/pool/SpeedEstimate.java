/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** How far the steps of one rank are off the pool's model, kept up frame by frame. Not threadsafe; allocates nothing. */
final class SpeedEstimate {
    /*
     * A robust location of log(measured / predicted): an average over about 50 frames whose steps are clipped (Huber
     * 1964), so that a compile straggler counts no more than a frame that is off by a tenth. The model's error is
     * common to all ranks and cancels when ranks are compared; see SpeedComparison. What is left of it is not
     * independent from step to step, as a batch stays for many, hence a standard error CORRELATION times as large: with 2,
     * workers of recorded engines were named up to 200 frames later, with 1 more were named wrongly.
     */
    private static final double RATE = 0.02;

    private static final double LEAST_CLIP = 0.1;
    private static final double CLIP_SPREADS = 3;
    private static final double LARGEST = 3;
    private static final int FRAMES_NEEDED = 50;
    private static final double NORMAL_MEAN_DEVIATION = 1.25;
    private static final double CORRELATION = 1.4;

    /*
     * Named beyond a tenth, with two standard errors to spare; no longer named within 7 %, so that a verdict does not
     * flicker. A rank that is not named is taken for typical: its factor is 1 and its frames train the model as they
     * are, so that noise in the factors costs the others nothing.
     */
    private static final double NAMED = Math.log(1.1);

    private static final double FORGIVEN = Math.log(1.07);
    private static final double LARGEST_LOG_FACTOR = Math.log(4);

    private long frames;
    private long framesJudged;
    private double mean;
    private double spread;
    private double factor = 1;
    private SpeedVerdict verdict = SpeedVerdict.UNKNOWN;

    /** Takes in log(measured / predicted) of a step that the pool's model is ready for. */
    void observe(double logRatio) {
        frames++;
        double rate = Math.max(RATE, 1.0 / frames);
        double distance = clip(logRatio, LARGEST) - mean;
        double clip = Math.max(LEAST_CLIP, CLIP_SPREADS * spread);
        mean += rate * clip(distance, clip);
        spread += rate * (Math.min(Math.abs(distance), 2 * clip) - spread);
    }

    boolean isKnown() {
        return frames >= FRAMES_NEEDED;
    }

    double mean() {
        return mean;
    }

    long frames() {
        return frames;
    }

    /** Compares with the peers, whose typical mean is given. A rank without new steps keeps its verdict. */
    void judge(double reference) {
        if (!isKnown() || (frames == framesJudged && verdict != SpeedVerdict.UNKNOWN)) {
            return;
        }
        framesJudged = frames;
        double difference = clip(mean - reference, LARGEST_LOG_FACTOR);
        double distance = Math.abs(difference);
        double doubt = 2 * standardError();
        boolean named =
                (verdict == SpeedVerdict.SLOW && difference > 0) || (verdict == SpeedVerdict.FAST && difference < 0);
        if (named ? distance > FORGIVEN : distance - doubt > NAMED) {
            verdict = difference > 0 ? SpeedVerdict.SLOW : SpeedVerdict.FAST;
        } else {
            verdict = SpeedVerdict.NORMAL;
        }
        factor = verdict == SpeedVerdict.NORMAL ? 1 : Math.exp(difference);
    }

    /** There is nobody to compare with. */
    void unjudge() {
        verdict = SpeedVerdict.UNKNOWN;
        factor = 1;
    }

    /** A new life of the engine may be on other hardware. */
    void clear() {
        frames = 0;
        framesJudged = 0;
        mean = 0;
        spread = 0;
        unjudge();
    }

    PoolMemory.SpeedMemory memory(String rank, long position) {
        return new PoolMemory.SpeedMemory(rank, position, frames, mean, spread, factor, verdict);
    }

    void restore(PoolMemory.SpeedMemory memory) {
        frames = memory.frames();
        framesJudged = memory.frames();
        mean = memory.mean();
        spread = memory.spread();
        factor = clip(memory.factor(), Math.exp(LARGEST_LOG_FACTOR));
        verdict = memory.verdict();
    }

    /** As last judged. */
    double factor() {
        return factor;
    }

    private double standardError() {
        double rate = Math.max(RATE, 1.0 / frames);
        return CORRELATION * NORMAL_MEAN_DEVIATION * spread * Math.sqrt(rate / (2 - rate));
    }

    Speed view() {
        return verdict == SpeedVerdict.UNKNOWN
                ? Speed.unknown(frames)
                : new Speed(factor, standardError(), verdict, frames);
    }

    private static double clip(double value, double limit) {
        return Math.max(-limit, Math.min(limit, value));
    }
}
