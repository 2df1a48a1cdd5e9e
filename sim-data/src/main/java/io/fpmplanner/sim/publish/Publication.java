/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/** A bound socket that gives each message to every subscriber, as ZeroMQ's PUB. One thread sends and closes. */
interface Publication extends AutoCloseable {
    /** The bound address. */
    String endpoint();

    /** Sends {@code ["", sequence, payload]}; never blocks, and drops it for subscribers that lag by 1,000 messages. */
    void send(byte[] sequence, byte[] payload);

    /** Throws away what was not sent, and frees the address. */
    @Override
    void close();
}
