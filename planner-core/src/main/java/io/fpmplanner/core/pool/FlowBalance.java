/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalDouble;

/** What kind of requests come, read off flows by their balance. Reads only; as threadsafe as the flows. */
final class FlowBalance {
    /*
     * Flow balance: what is completed plus the growth of the queue is what arrived. Tokens generated divided by the
     * mean of the requests that joined and that left a batch is the output length; joined alone is biased low while
     * load rises, left alone while it falls. Lengths are taken
     * over the long window, rates over its newest part. Whatever rests on fewer than FEWEST_REQUESTS is not said at all.
     */
    private static final int FEWEST_REQUESTS = 6;
    private static final int FEWEST_FOR_SPREAD = 30;
    private static final int ENOUGH_WAITING = 300;
    private static final double MOST_VARIATION = 4;
    /** Standard deviation over mean of answer lengths where nothing better is known: between those of public traces. */
    private static final double ASSUMED_VARIATION = 0.7;
    /** The error of the mean context is about as large again as that of the mean prompt. */
    private static final double REPEATED = 1.5;

    /** Where prompts end is read from full steps, which is off by a percent or two. */
    private static final double INPUT_DOUBT = 0.02;

    private static final int FEWEST_LEAVERS = 12;
    private static final double RECENT_SECONDS = 30;
    /** The deviation of a heavy tail is known worse than that of a normal distribution. */
    private static final double SPREAD_ERROR = 2;

    private static final double LEAST_UNCHANGED = 0.03;

    private final Role role;
    private final Flows ticks;

    FlowBalance(Role role, Flows ticks) {
        this.role = role;
        this.ticks = ticks;
    }

    /** What kind of requests come; what single frames tell of a whole pool is given. */
    PoolLoad.Traffic traffic(OptionalDouble imbalance, Optional<TokenLengths> lengths) {
        double computed = ticks.sum(TrafficRow.PREFILL_TOKENS);
        double completed = ticks.sum(TrafficRow.COMPLETED);
        double decoded = ticks.sum(TrafficRow.DECODE_TOKENS);
        OptionalDouble cachedShare = cachedShare();
        return new PoolLoad.Traffic(
                ticks.sum(TrafficRow.SECONDS_NANOS) / 1e9,
                requestsPerSecond(),
                Math.max(
                        0,
                        ticks.recentRate(TrafficRow.PREFILL_TOKENS)
                                + ticks.recentRate(TrafficRow.QUEUE_TOKENS) * (1 - cachedShare.orElse(0))),
                ticks.recentRate(TrafficRow.DECODE_TOKENS),
                inputTokens(computed, completed),
                cachedShare,
                outputTokens(decoded),
                decoded > 0
                        ? OptionalDouble.of(ticks.sum(TrafficRow.DECODE_KV_TOKENS) / decoded)
                        : OptionalDouble.empty(),
                decoded > 0
                        ? OptionalDouble.of(ticks.sum(TrafficRow.DECODE_KV_DEVIATION) / decoded)
                        : OptionalDouble.empty(),
                inputDeviation(lengths),
                outputDeviation(lengths),
                imbalance,
                lengths);
    }

    /** Whether so many prompts waited that they tell of lengths what there is to be told. */
    boolean isTakenFromWaiting() {
        return role == Role.DECODE || ticks.sum(TrafficRow.WAITING_PROMPTS) >= ENOUGH_WAITING;
    }

    /** In a DECODE pool, which computes no prompts, the contexts with which requests join. */
    private OptionalDouble inputTokens(double computed, double completed) {
        if (role == Role.DECODE) {
            double joiners = ticks.sum(TrafficRow.JOINERS);
            return joiners >= FEWEST_REQUESTS
                    ? OptionalDouble.of(ticks.sum(TrafficRow.JOINER_TOKENS) / joiners)
                    : OptionalDouble.empty();
        }
        return completed >= FEWEST_REQUESTS ? OptionalDouble.of(computed / completed) : OptionalDouble.empty();
    }

    /*
     * Of full prompt lengths: by the variation of the prompts that wait, if many do, for anyone may have to; else of those
     * of steps that cut none, of which long ones are less often a part.
     */
    private OptionalDouble inputDeviation(Optional<TokenLengths> known) {
        if (known.isPresent()) {
            return OptionalDouble.of(known.get().standardDeviation());
        }
        boolean decodes = role == Role.DECODE;
        boolean waiting = isTakenFromWaiting();
        double count = ticks.sum(
                decodes ? TrafficRow.JOINERS : waiting ? TrafficRow.WAITING_PROMPTS : TrafficRow.KNOWN_PROMPTS);
        OptionalDouble full = fullInputTokens();
        if (count < FEWEST_FOR_SPREAD || full.isEmpty()) {
            return OptionalDouble.empty();
        }
        double mean = ticks.sum(
                        decodes
                                ? TrafficRow.JOINER_TOKENS
                                : waiting ? TrafficRow.WAITING_TOKENS : TrafficRow.KNOWN_TOKENS)
                / count;
        double squares = ticks.sum(
                        decodes
                                ? TrafficRow.JOINER_SQUARES
                                : waiting ? TrafficRow.WAITING_SQUARES : TrafficRow.KNOWN_SQUARES)
                / count;
        if (mean <= 0) {
            return OptionalDouble.empty();
        }
        double variation = Math.sqrt(Math.max(0, squares / (mean * mean) - 1));
        return OptionalDouble.of(full.getAsDouble() * Math.min(MOST_VARIATION, variation));
    }

    /** Mean full prompt. */
    OptionalDouble fullInputTokens() {
        OptionalDouble computed = inputTokens(ticks.sum(TrafficRow.PREFILL_TOKENS), ticks.sum(TrafficRow.COMPLETED));
        double cached = role == Role.DECODE ? 0 : Math.min(0.95, cachedShare().orElse(0));
        return computed.isEmpty() ? computed : OptionalDouble.of(computed.getAsDouble() / (1 - cached));
    }

    /*
     * A request met at a random step has generated E[o^2] / 2 E[o] tokens so far (renewal theory), by which the mean
     * context exceeds the mean prompt. Where prompts are long and vary, that difference is little but noise, and the
     * variation of public traces is assumed instead.
     */
    private OptionalDouble outputDeviation(Optional<TokenLengths> lengths) {
        double decoded = ticks.sum(TrafficRow.DECODE_TOKENS);
        OptionalDouble output = outputTokens(decoded);
        OptionalDouble input = fullInputTokens();
        OptionalDouble deviation = inputDeviation(lengths);
        if (output.isEmpty() || input.isEmpty() || deviation.isEmpty() || decoded <= 0) {
            return OptionalDouble.empty();
        }
        double mean = output.getAsDouble();
        double age = ticks.sum(TrafficRow.DECODE_KV_TOKENS) / decoded - input.getAsDouble();
        double squared = Math.max(0, Math.min(MOST_VARIATION, 2 * age / mean - 1));
        double sampling = deviation.getAsDouble() / Math.sqrt(Math.max(1, joined())) * REPEATED;
        double error = 2 * Math.hypot(sampling, INPUT_DOUBT * input.getAsDouble()) / mean;
        double trust = 1 / (1 + error * error / 0.1);
        return OptionalDouble.of(
                mean * Math.sqrt(trust * squared + (1 - trust) * ASSUMED_VARIATION * ASSUMED_VARIATION));
    }

    private OptionalDouble cachedShare() {
        double cachedTokens = ticks.sum(TrafficRow.WHOLE_CACHED);
        double wholeTokens = ticks.sum(TrafficRow.WHOLE_TOKENS) + cachedTokens;
        return ticks.sum(TrafficRow.WHOLE_PROMPTS) >= FEWEST_REQUESTS && wholeTokens > 0
                ? OptionalDouble.of(cachedTokens / wholeTokens)
                : OptionalDouble.empty();
    }

    private OptionalDouble requestsPerSecond() {
        if (joined() < FEWEST_REQUESTS || (role == Role.DECODE && ticks.sum(TrafficRow.JOINED) == 0)) {
            return OptionalDouble.empty();
        }
        boolean decodes = role == Role.DECODE;
        double hazard = decodes ? leavesPerToken() : 0;
        if (hazard > 0) {
            double left = ticks.recentRate(TrafficRow.DECODE_TOKENS) * hazard;
            return OptionalDouble.of(Math.max(
                    0, left + ticks.recentRate(TrafficRow.RUNNING) + ticks.recentRate(TrafficRow.DECODE_QUEUE)));
        }
        double missed = decodes ? joined() / ticks.sum(TrafficRow.JOINED) * lossFactor() : 1;
        double taken = ticks.recentRate(decodes ? TrafficRow.JOINED : TrafficRow.COMPLETED) * missed;
        return OptionalDouble.of(
                Math.max(0, taken + ticks.recentRate(decodes ? TrafficRow.DECODE_QUEUE : TrafficRow.QUEUE_REQUESTS)));
    }

    /** Changes of the batch are seen between consecutive steps only; by how much more there were. */
    private double lossFactor() {
        double paired = ticks.sum(TrafficRow.PAIRED_DECODE_TOKENS);
        return paired > 0 ? Math.max(1, ticks.sum(TrafficRow.DECODE_TOKENS) / paired) : 1;
    }

    /** Requests that were taken up: completed prompts, or in a decode pool the joins that changes of the batch show. */
    private double joined() {
        if (role != Role.DECODE) {
            return ticks.sum(TrafficRow.COMPLETED);
        }
        double counted = ticks.sum(TrafficRow.JOINED);
        return Math.max(counted, left() + counted - ticks.sum(TrafficRow.LEFT));
    }

    /*
     * Counting changes of the batch misses whoever leaves in the step in which another joins. If both come as Poisson
     * processes, with rates j and l a step, a pair of steps is unchanged with probability exp(-j - l), and the batch
     * grows by j - l; in a full batch, where each leaver is replaced at once, with probability exp(-l). Arrivals in
     * bunches make this too low, coincidences make counting too low: the larger is taken. Under speculative decoding
     * hardly a pair looks unchanged, which leaves the count.
     */
    private double left() {
        double hazard = leavesPerToken();
        if (hazard > 0) {
            return hazard * ticks.sum(TrafficRow.PAIRED_DECODE_TOKENS);
        }
        double counted = ticks.sum(TrafficRow.LEFT);
        double growth = ticks.sum(TrafficRow.JOINED) - counted;
        double events = events(TrafficRow.PAIRS, TrafficRow.UNCHANGED_PAIRS);
        double replaced = events(TrafficRow.FULL_PAIRS, TrafficRow.UNCHANGED_FULL_PAIRS);
        return Math.max(counted, (events - growth) / 2 + replaced);
    }

    /*
     * With chance h to leave at a token, a pair of steps with b requests shows one fewer with probability n b h e^(-b h), and
     * is unchanged with n e^(-b h), n being the chance that nobody joins, whatever its law; so lone leavers are h times the
     * requests in unchanged pairs. Of the former, those where two left and one joined are b^2 h^2 / 2 for each pair with one
     * more. 0 when that is too little to tell or most pairs are of full batches, where no leaver is ever alone.
     */
    private double leavesPerToken() {
        double leavers = ticks.sum(TrafficRow.LONE_LEAVERS);
        double exposed = ticks.sum(TrafficRow.EXPOSED_TOKENS);
        if (leavers < FEWEST_LEAVERS
                || exposed <= 0
                || ticks.sum(TrafficRow.FULL_PAIRS) > ticks.sum(TrafficRow.PAIRS)) {
            return 0;
        }
        double coincident = ticks.sum(TrafficRow.JOINED_SQUARES);
        return coincident <= 0
                ? leavers / exposed
                : (Math.sqrt(exposed * exposed + 2 * coincident * leavers) - exposed) / coincident;
    }

    /** Expected changes in so many pairs of steps given the share without any; 0 when that is too small to tell. */
    private double events(int pairsColumn, int unchangedColumn) {
        double pairs = ticks.sum(pairsColumn);
        double unchanged = ticks.sum(unchangedColumn);
        return unchanged < LEAST_UNCHANGED * pairs || unchanged == 0 ? 0 : -pairs * Math.log(unchanged / pairs);
    }

    private OptionalDouble outputTokens(double decoded) {
        if (role == Role.PREFILL) {
            return OptionalDouble.empty();
        }
        double left = role == Role.DECODE ? left() : joined() - ticks.sum(TrafficRow.RUNNING);
        if (joined() < FEWEST_REQUESTS || left < FEWEST_REQUESTS) {
            return OptionalDouble.empty();
        }
        double hazard = role == Role.DECODE ? leavesPerToken() : 0;
        if (hazard > 0) {
            return OptionalDouble.of(1 / hazard);
        }
        double generated = role == Role.DECODE ? ticks.sum(TrafficRow.PAIRED_DECODE_TOKENS) : decoded;
        double firstToken = role == Role.AGGREGATED ? 1 : 0;
        return OptionalDouble.of(firstToken + generated / ((joined() + left) / 2));
    }

    /**
     * The traffic with errors.
     *
     * @param now what else is known of the moment: queues, batch, gap, capacity
     */
    WorkloadView workload(PoolLoad.Traffic traffic, Moment now) {
        double requests = Math.max(1, joined());
        OptionalDouble input = fullInputTokens();
        double inputDeviation = traffic.inputDeviation().orElse(Double.NaN);
        double outputDeviation = traffic.outputDeviation().orElse(Double.NaN);
        double seconds = Math.min(RECENT_SECONDS, ticks.sum(TrafficRow.SECONDS_NANOS) / 1e9);
        double cached = traffic.cachedShare().orElse(Double.NaN);
        return new WorkloadView(
                Quantity.inferred(
                        traffic.requestsPerSecond(),
                        Math.sqrt(Math.max(traffic.requestsPerSecond().orElse(0), 1 / seconds) / seconds)),
                Quantity.inferred(input, inputDeviation / Math.sqrt(requests)),
                Quantity.inferred(traffic.inputDeviation(), inputDeviation * SPREAD_ERROR / Math.sqrt(2 * requests)),
                Quantity.inferred(traffic.outputTokens(), outputError(outputDeviation, requests)),
                Quantity.inferred(traffic.outputDeviation(), outputDeviation * SPREAD_ERROR / Math.sqrt(2 * requests)),
                Quantity.inferred(
                        traffic.cachedShare(),
                        Math.sqrt(Math.max(0.01, cached * (1 - cached))
                                / Math.max(1, ticks.sum(TrafficRow.WHOLE_PROMPTS)))),
                role == Role.PREFILL
                        ? Quantity.UNKNOWN
                        : Quantity.inferred(now.running, Math.sqrt(Math.max(1, now.running))),
                Quantity.inferred(
                        ticks.recentRate(TrafficRow.PREFILL_TOKENS),
                        rateError(input.orElse(Double.NaN), inputDeviation, traffic.requestsPerSecond(), seconds)),
                Quantity.inferred(
                        ticks.recentRate(TrafficRow.DECODE_TOKENS),
                        rateError(
                                traffic.outputTokens().orElse(Double.NaN),
                                outputDeviation,
                                traffic.requestsPerSecond(),
                                seconds)),
                Quantity.inferred(
                        ticks.recentRate(role == Role.DECODE ? TrafficRow.DECODE_QUEUE : TrafficRow.QUEUE_REQUESTS),
                        Math.sqrt(2) / seconds),
                Quantity.exact(now.kvTokens, Quantity.Origin.INFERRED),
                now.kvCapacity,
                now.gapSeconds > 0 ? Quantity.inferred(now.gapSeconds, Double.NaN) : Quantity.UNKNOWN);
    }

    /** Of a rate of tokens, each request bringing so many in one go: compound Poisson. */
    private static double rateError(double tokens, double deviation, OptionalDouble requests, double seconds) {
        return Math.sqrt(Math.max(0, requests.orElse(0)) / seconds * (tokens * tokens + deviation * deviation));
    }

    /** Where lone leavers are counted, that count is what there is; else all requests that left. */
    private double outputError(double deviation, double requests) {
        double leavers = role == Role.DECODE ? ticks.sum(TrafficRow.LONE_LEAVERS) : 0;
        double mean = outputTokens(ticks.sum(TrafficRow.DECODE_TOKENS)).orElse(Double.NaN);
        return leavers >= FEWEST_LEAVERS
                ? mean / Math.sqrt(leavers)
                : Math.max(deviation, mean / 2) / Math.sqrt(Math.max(1, requests));
    }

    /** What of the workload is a state, not a flow. */
    record Moment(double running, double kvTokens, Quantity kvCapacity, double gapSeconds) {}
}
