/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.OptionalDouble;

/**
 * What a front end counted over a window. Immutable.
 *
 * @param seconds length of the window; &gt; 0
 * @param arrived requests that came
 * @param inputTokens their prompts' tokens in all
 * @param finished requests that were answered
 * @param outputTokens their answers' tokens in all
 * @param ttftSeconds mean time to first token of those whose first token came; empty if none did
 * @param itlSeconds mean time between tokens of those that finished; empty if none did
 */
public record FrontEndWindow(
        double seconds,
        long arrived,
        long inputTokens,
        long finished,
        long outputTokens,
        OptionalDouble ttftSeconds,
        OptionalDouble itlSeconds) {}
