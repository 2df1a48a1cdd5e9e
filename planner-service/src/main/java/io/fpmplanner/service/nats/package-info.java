/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Dynamo's event plane over NATS core: {@link io.fpmplanner.service.nats.NatsFrameSource} subscribes, {@link
 * io.fpmplanner.service.nats.NatsConnection} is what the relay publishes by too. Threads are those of the NATS library.
 */
@NullMarked
package io.fpmplanner.service.nats;

import org.jspecify.annotations.NullMarked;
