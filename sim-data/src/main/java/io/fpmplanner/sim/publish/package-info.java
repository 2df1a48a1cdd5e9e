/* SPDX-License-Identifier: Apache-2.0 */
/**
 * ForwardPassMetrics as an engine emits it: the schema, its msgpack encoding, and a publisher with the socket behaviour of
 * vLLM and SGLang. Usable by any Java engine; depends on JeroMQ and msgpack-core only.
 *
 * <p>One publisher a rank:
 *
 * <pre>{@code
 * PublisherSettings settings = PublisherSettings.of(20380, "worker-1", dpRank);        // tcp://*:20380 + dpRank
 * // or                        PublisherSettings.ofIpc("/run/fpm", "worker-1", dpRank); // ipc:///run/fpm.RANK
 * try (ForwardPassPublisher publisher = ForwardPassPublisher.bind(settings, System::nanoTime)) {
 *     Welford contexts = new Welford();                    // variance of the batch, in one pass
 *     requests.forEach(request -> contexts.add(request.contextTokens()));
 *     publisher.publish(new ForwardPassMetrics("worker-1", dpRank, 0, null, wallTimeSeconds,
 *             new ScheduledRequests(0, 0, 0.0, 0, requests.size(), kvTokens, contexts.populationVariance()),
 *             QueuedRequests.NONE));                       // never blocks
 * }
 * }</pre>
 *
 * <p>What readers of the wire may rely on, as with the Python engines:
 *
 * <ul>
 *   <li>Messages are {@code ["", sequence as 8 bytes big-endian, payload]}; the sequence starts at 0 and equals {@code
 *       counter_id}. Payloads are, byte for byte, what msgspec makes of the engines' structs.
 *   <li>A record for which the queue of 10,000 has no room is dropped before it gets a number: subscribers see no gap. One
 *       that a slow subscriber's 1,000 waiting messages leave no room for is lost to that one, as a gap.
 *   <li>After each second of silence comes a record of zeros.
 *   <li>Closing throws away what was not sent, and says no goodbye.
 * </ul>
 *
 * <p>{@link io.fpmplanner.sim.publish.ExampleEngine} is a complete engine of fifty lines.
 */
@NullMarked
package io.fpmplanner.sim.publish;

import org.jspecify.annotations.NullMarked;
