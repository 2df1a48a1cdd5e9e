/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.List;

/** Where the messages of one endpoint go. For the relay's thread alone. */
interface Outlet extends AutoCloseable {
    /**
     * Sends a message without waiting.
     *
     * @param parts as they were received; not changed
     * @return false if it was dropped, because nobody takes it or too many wait already
     */
    boolean send(List<byte[]> parts);

    /** Takes note of what has changed on the other side; called a few times a second. */
    void turn();

    /** Whether someone takes messages now. */
    boolean isTaken();

    @Override
    void close();
}
