/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

/**
 * How a relay treats its connections.
 *
 * @param highWaterMark messages that may wait per endpoint, on either side; further ones are dropped and counted
 */
record RelaySettings(int highWaterMark) {
    static final int RECONNECT_MILLIS = 100;
    static final int RECONNECT_MAX_MILLIS = 2_000;

    /** JeroMQ 0.6.0 sometimes never begins a handshake; it has to try again soon. A healthy one takes a few round trips. */
    static final int HANDSHAKE_MILLIS = 1_000;

    RelaySettings {
        if (highWaterMark < 1 || highWaterMark > 1_000_000) {
            throw new IllegalArgumentException("the high-water mark must be 1 to 1000000, was " + highWaterMark);
        }
    }
}
