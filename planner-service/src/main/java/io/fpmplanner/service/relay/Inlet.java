/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.List;
import java.util.function.Consumer;

/** Where the messages of one endpoint come from. For the relay's thread alone. */
interface Inlet extends AutoCloseable {
    /** The endpoint, for people. */
    String name();

    /** Gives at most so many messages that are there; does not wait. Returns how many there were. */
    int receive(int most, Consumer<List<byte[]>> to);

    @Override
    void close();
}
