/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/**
 * A period after which arrivals come again, weighed against what came. Immutable.
 *
 * @param lag its length in bins
 * @param share squared error of what it lets expect beyond that of Poisson's noise, as a share of that of the best rival; below 1
 *     it is the better one
 * @param sigmas by how many standard errors, of sums of squares of noise, its squared error is smaller than the rival's
 * @param deviation root of its mean squared error, requests/s
 * @param failing whether it was plainly worse than its rival lately
 */
record Season(int lag, double share, double sigmas, double deviation, boolean failing) {
    /*
     * What is expected of a bin is the median of the bins one, two and three periods before, smoothed over as many bins as
     * it takes to see a hundred requests, times the ratio of what came to what was expected over the newest quarter of
     * a period: a quieter day keeps its shape, and one odd day of three says nothing. The ratio is that of a gamma prior with
     * the weight of PRIOR requests, so it is 1 where next to nothing comes.
     *
     * A period is taken for a season if over a whole one its expectations, made a cold start ahead, have less than SHARE of the
     * squared error of each of four simple rivals that know no season: the newest bin, means of the newest few, a line through
     * them; and if that is more than chance by SIGMAS. That is what matters: what only looks regular, and slow changes that look
     * like anything, fail by it. It fails at once when the newest quarter of a period has errors that noise does not explain,
     * and is believed again once such a quarter has passed.
     */
    static final int MOST_PERIODS = 3;
    static final int LEAST_HISTORY = 3;

    private static final double SHARE = 0.6;
    private static final double KEPT_SHARE = 0.9;
    private static final double SIGMAS = 3;
    private static final double KEPT_SIGMAS = 1;
    private static final double PRIOR = 10;
    private static final double LEAST_RATIO = 0.5;
    private static final double MOST_RATIO = 2;
    private static final int RIVALS = 4;
    private static final double FAIL_SIGMAS = 4;
    private static final double LEAST_KNOWN = 0.7;
    private static final double MOST_GAIN = 1;
    private static final double ENOUGH_REQUESTS = 100;

    /** Whether it may be followed, if it was not so far. */
    boolean convinces() {
        return share < SHARE && sigmas > SIGMAS && !failing;
    }

    /** Whether it may still be followed. */
    boolean holds() {
        return share < KEPT_SHARE && sigmas > KEPT_SIGMAS && !failing;
    }

    /**
     * Weighs a period.
     *
     * @param rates by bin, oldest first; NaN where nothing is known
     * @param lag the period in bins
     * @param ahead bins that expectations are made ahead, at least 1
     * @param widthSeconds of a bin
     */
    static Season weigh(double[] rates, int lag, int ahead, double widthSeconds) {
        int from = Math.max(0, rates.length - lag);
        double[] expected = expectations(rates, lag, ahead, widthSeconds, from);
        double[] own = new double[expected.length];
        double noise = 0;
        int known = 0;
        for (int bin = from; bin < rates.length; bin++) {
            own[bin - from] = squared(rates[bin] - expected[bin - from]);
            if (!Double.isNaN(own[bin - from])) {
                known++;
                noise += rates[bin] / widthSeconds;
            }
        }
        Rival rival = Rival.best(rates, ahead, own);
        double[] others = rival.squares(rates, own);
        double ownSum = sum(own);
        double otherSum = sum(others);
        if (known < LEAST_KNOWN * lag || !(otherSum > noise)) {
            return new Season(lag, Double.POSITIVE_INFINITY, 0, 0, true);
        }
        return new Season(
                lag,
                Math.max(0, ownSum - noise) / (otherSum - noise),
                (otherSum - ownSum) / Math.max(noise, ownSum) * Math.sqrt(known / 2.0),
                Math.sqrt(ownSum / known),
                isFailing(own, lately(rates, expected, reach(rates, lag, widthSeconds)), others, noise / known));
    }

    /** Means over some bins on either side of each. */
    static double[] smoothed(double[] rates, int reach) {
        double[] smoothed = new double[rates.length];
        for (int bin = 0; bin < rates.length; bin++) {
            smoothed[bin] = smoothed(rates, bin, reach);
        }
        return smoothed;
    }

    private static double squared(double value) {
        return value * value;
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += Double.isNaN(value) ? 0 : value;
        }
        return sum;
    }

    /** Squared errors in the newest quarter, where a bin or two sooner or later is no error. */
    private static double[] lately(double[] rates, double[] expected, int reach) {
        double[] squares = new double[Math.min(expected.length, Math.max(6, expected.length / 4))];
        int offset = expected.length - squares.length;
        for (int i = 0; i < squares.length; i++) {
            double lowest = Double.POSITIVE_INFINITY;
            double highest = Double.NEGATIVE_INFINITY;
            for (int near = -reach - 1; near <= reach + 1; near++) {
                double value = expected[Math.max(0, Math.min(expected.length - 1, offset + i + near))];
                lowest = Math.min(lowest, value);
                highest = Math.max(highest, value);
            }
            double rate = rates[rates.length - squares.length + i];
            squares[i] = squared(Math.max(0, Math.max(rate - highest, lowest - rate)));
        }
        return squares;
    }

    private static boolean isFailing(double[] own, double[] lately, double[] others, double noise) {
        int recent = own.length - lately.length;
        double before = 0;
        int counted = 0;
        for (int i = 0; i < recent; i++) {
            before += Double.isNaN(own[i]) ? 0 : own[i];
            counted += Double.isNaN(own[i]) ? 0 : 1;
        }
        if (counted == 0) {
            return true;
        }
        double variance = Math.max(noise, before / counted);
        double worse = 0;
        int newer = 0;
        for (int i = recent; i < own.length; i++) {
            if (!Double.isNaN(own[i])) {
                worse += Math.max(-MOST_GAIN, (lately[i - recent] - others[i]) / variance);
                newer++;
            }
        }
        return worse > FAIL_SIGMAS * Math.sqrt(2.0 * newer);
    }

    /** One of the rules that know no season. */
    private record Rival(int kind, int ahead) {
        /** The rule with the least squared error over the newest bins. */
        static Rival best(double[] rates, int ahead, double[] own) {
            Rival best = new Rival(0, ahead);
            double least = sum(best.squares(rates, own));
            for (int kind = 1; kind < RIVALS; kind++) {
                Rival other = new Rival(kind, ahead);
                double squares = sum(other.squares(rates, own));
                if (squares < least) {
                    best = other;
                    least = squares;
                }
            }
            return best;
        }

        /** Squared errors in the newest bins; 0, the best there can be, where it has nothing to go by. */
        double[] squares(double[] rates, double[] own) {
            double[] squares = new double[own.length];
            for (int i = 0; i < own.length; i++) {
                int bin = rates.length - own.length + i;
                double error = rates[bin] - expected(rates, bin - ahead);
                squares[i] = Double.isNaN(own[i]) || Double.isNaN(error) ? 0 : error * error;
            }
            return squares;
        }

        private double expected(double[] rates, int newest) {
            int few = Math.max(4, ahead);
            return switch (kind) {
                case 0 -> mean(rates, newest, 1);
                case 1 -> mean(rates, newest, 4);
                case 2 -> mean(rates, newest, few);
                default -> {
                    double slope = (mean(rates, newest, few) - mean(rates, newest - few, few)) / few;
                    yield Math.max(0, mean(rates, newest, few) + slope * (ahead + (few - 1) / 2.0));
                }
            };
        }
    }

    /** What was expected of the bins from the given one on, each at the end of the bin that lies so far before it. */
    private static double[] expectations(double[] rates, int lag, int ahead, double widthSeconds, int from) {
        int window = window(lag);
        int first = Math.max(0, from - ahead - window);
        double[] shape = new double[rates.length - first];
        int reach = reach(rates, lag, widthSeconds);
        for (int bin = first; bin < rates.length; bin++) {
            shape[bin - first] = shape(rates, bin, lag, reach);
        }
        double[] expected = new double[rates.length - from];
        for (int bin = from; bin < rates.length; bin++) {
            double came = 0;
            double foreseen = 0;
            for (int past = Math.max(first, bin - ahead - window + 1); past <= bin - ahead; past++) {
                if (!Double.isNaN(rates[past] + shape[past - first])) {
                    came += rates[past] * widthSeconds;
                    foreseen += shape[past - first] * widthSeconds;
                }
            }
            expected[bin - from] = ratio(came, foreseen) * shape[bin - first];
        }
        return expected;
    }

    private static int window(int lag) {
        return Math.max(6, lag / 4);
    }

    private static double ratio(double came, double foreseen) {
        return Math.max(LEAST_RATIO, Math.min(MOST_RATIO, (came + PRIOR) / (foreseen + PRIOR)));
    }

    /** By how much more than in the periods before came lately. */
    static double ratioNow(double[] rates, int lag, double widthSeconds) {
        double came = 0;
        double foreseen = 0;
        int reach = reach(rates, lag, widthSeconds);
        for (int bin = Math.max(0, rates.length - window(lag)); bin < rates.length; bin++) {
            double shape = shape(rates, bin, lag, reach);
            if (!Double.isNaN(rates[bin] + shape)) {
                came += rates[bin] * widthSeconds;
                foreseen += shape * widthSeconds;
            }
        }
        return ratio(came, foreseen);
    }

    /** The median of the bins one, two and three periods before; NaN if none of them is known. The bin may lie ahead. */
    static double shape(double[] rates, int bin, int lag, int reach) {
        double one = smoothed(rates, bin - lag, reach);
        double two = smoothed(rates, bin - 2 * lag, reach);
        double three = smoothed(rates, bin - MOST_PERIODS * lag, reach);
        if (Double.isNaN(three)) {
            return Double.isNaN(one) ? two : Double.isNaN(two) ? one : (one + two) / 2;
        }
        if (Double.isNaN(one) || Double.isNaN(two)) {
            double other = Double.isNaN(one) ? two : one;
            return Double.isNaN(other) ? three : (other + three) / 2;
        }
        return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
    }

    /** How many bins on either side it takes to see enough requests. */
    static int reach(double[] rates, int lag, double widthSeconds) {
        double requests = mean(rates, rates.length - 1, lag) * widthSeconds;
        int most = lag / 48;
        return requests > 0 ? (int) Math.max(0, Math.min(most, Math.ceil((ENOUGH_REQUESTS / requests - 1) / 2))) : most;
    }

    private static double smoothed(double[] rates, int bin, int reach) {
        double sum = 0;
        int known = 0;
        for (int near = Math.max(0, bin - reach); near <= Math.min(rates.length - 1, bin + reach); near++) {
            if (!Double.isNaN(rates[near])) {
                sum += rates[near];
                known++;
            }
        }
        return known > reach ? sum / known : Double.NaN;
    }

    private static double mean(double[] rates, int newest, int bins) {
        double sum = 0;
        int known = 0;
        for (int bin = Math.max(0, newest - bins + 1); bin <= newest; bin++) {
            if (!Double.isNaN(rates[bin])) {
                sum += rates[bin];
                known++;
            }
        }
        return known == 0 ? Double.NaN : sum / known;
    }
}
