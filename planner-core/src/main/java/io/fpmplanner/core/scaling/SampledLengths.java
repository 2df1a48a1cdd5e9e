/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import java.util.Optional;
import java.util.OptionalDouble;

/** Lengths of requests where only a sample of the frames is seen. Stateless. */
final class SampledLengths {
    /*
     * Lengths are tokens over requests that were counted, and of a prompt cut into chunks the one step that completes it
     * is seen by chance: counts are a few where tokens are many, and prompts seem many times as long as they are. But the
     * contexts of running requests are in every frame, and so is what is computed of each kind of token. A context is
     * the prompt, cached part included, and half of the answer on average:
     * context = input / (1 - cached) + output / 2, and input / output = prefill tokens / decoded tokens.
     * Where no prompt was ever seen, answers are long beside them: half of a context is taken to be the prompt.
     * What somebody says who sees the requests is left as it is.
     */
    private static final double UNSEEN = 0.5;

    private SampledLengths() {}

    static PoolLoad.Traffic of(PoolView pool, DemandHistory history) {
        PoolLoad.Traffic seen = pool.load().traffic();
        boolean told = pool.load()
                .supplied()
                .filter(said -> said.inputTokens().isPresent())
                .isPresent();
        double ratio = history.prefillPerDecode() > 0 ? history.prefillPerDecode() : UNSEEN;
        if (pool.settings().role() != Role.AGGREGATED
                || told
                || seen.contextTokens().isEmpty()) {
            return seen;
        }
        double cached = Math.min(0.95, seen.cachedShare().orElse(0));
        double context = seen.contextTokens().getAsDouble();
        double input = context / (1 / (1 - cached) + 1 / (2 * ratio));
        return new PoolLoad.Traffic(
                seen.windowSeconds(),
                seen.requestsPerSecond(),
                seen.prefillTokensPerSecond(),
                seen.decodeTokensPerSecond(),
                OptionalDouble.of(Math.max(1, input)),
                seen.cachedShare(),
                OptionalDouble.of(Math.max(1, input / ratio + 1)),
                seen.contextTokens(),
                seen.contextDeviation(),
                seen.inputDeviation(),
                seen.outputDeviation(),
                seen.imbalance(),
                Optional.empty());
    }
}
