/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Poisson arrivals at a varying rate with drawn lengths. Immutable.
 *
 * @param rate requests per second over time
 * @param inputTokens lengths of prompts
 * @param outputTokens lengths of answers
 * @param sharing what prompts share; empty if nothing
 */
public record SyntheticWorkload(
        ArrivalRate rate,
        LengthDistribution inputTokens,
        LengthDistribution outputTokens,
        Optional<PrefixSharing> sharing)
        implements Workload {
    /**
     * Prompts come from a number of families, each with a chain of blocks that all its prompts begin with as far as they
     * reach. Immutable.
     *
     * @param families equally likely; &ge; 1
     * @param blocks length of the chain; &ge; 1
     * @param blockTokens tokens of a block; &ge; 1
     */
    public record PrefixSharing(int families, int blocks, int blockTokens) {
        public PrefixSharing {
            if (families < 1 || blocks < 1 || blockTokens < 1) {
                throw new IllegalArgumentException("families, blocks and tokens of a block must be at least 1, were "
                        + families + ", " + blocks + " and " + blockTokens);
            }
        }

        private PrefixBlocks prefix(int family, int inputTokens) {
            // The last token of a prompt is always computed, so a block may not reach its end.
            int shared = Math.min(blocks, (inputTokens - 1) / blockTokens);
            long[] hashes = new long[shared];
            for (int block = 0; block < shared; block++) {
                hashes[block] = (long) family * blocks + block;
            }
            return PrefixBlocks.of(blockTokens, hashes);
        }
    }

    @Override
    public List<Request> requests(long startNanos, double seconds, long seed) {
        double expected = rate.peak() * seconds;
        if (!(expected <= MOST_REQUESTS)) {
            throw new IllegalArgumentException("up to " + Math.round(expected)
                    + " requests are too many for one run, at most " + MOST_REQUESTS + " can be simulated");
        }
        if (rate.peak() == 0) {
            return List.of();
        }
        long endNanos = startNanos + (long) (seconds * 1e9);
        RequestStream stream = new RequestStream(rate, inputTokens, outputTokens, startNanos, seed);
        RandomVariates families = new RandomVariates(seed ^ 0x5851F42D4C957F2DL);
        List<Request> requests = new ArrayList<>();
        while (stream.nextArrivalNanos() < endNanos) {
            requests.add(shared(stream.next(), families));
        }
        return requests;
    }

    private Request shared(Request request, RandomVariates families) {
        return sharing.map(prefixes -> {
                    int family = (int) (families.uniform() * prefixes.families());
                    PrefixBlocks prefix = prefixes.prefix(family, request.inputTokens());
                    return new Request(
                            request.id(),
                            request.arrivalNanos(),
                            request.inputTokens(),
                            0,
                            request.outputTokens(),
                            prefix);
                })
                .orElse(request);
    }
}
