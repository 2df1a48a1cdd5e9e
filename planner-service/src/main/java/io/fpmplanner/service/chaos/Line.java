/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import java.util.List;

/** What one engine publishes on. Used by the fleet's thread alone. */
interface Line extends AutoCloseable {
    /** Opens it if it is not; whether it is now. */
    boolean open();

    /** Sends a payload under a number. */
    void frame(long sequence, byte[] payload);

    /** Sends what is no message of this kind. */
    void rubbish(List<byte[]> parts);

    /** Says from now on that messages were published at wrong times, where they say it at all. */
    void mistime(long byMillis);

    /** As if the engine had died. May be opened again. */
    @Override
    void close();
}
