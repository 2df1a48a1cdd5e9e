/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/**
 * One endpoint at one moment.
 *
 * @param poolIndex the pool it belongs to, by order of configuration
 * @param source the configured entry that led to it
 * @param endpoint where its frames come from, e.g. {@code tcp://IP:PORT}; with the name while there is no address
 * @param state how far the way is open
 * @param detail why it is in a state of trouble, in words; empty if there is none
 * @param counts what came from there
 */
public record EndpointStatus(
        int poolIndex, String source, String endpoint, EndpointState state, String detail, EndpointCounts counts) {}
