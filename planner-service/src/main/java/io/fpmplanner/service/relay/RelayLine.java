/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.List;

/** One endpoint with the outlets of its own, and what was counted between them. For the relay's thread alone. */
final class RelayLine implements AutoCloseable {
    private final Inlet inlet;
    private final List<Outlet> outlets;
    private long received;
    private long sent;
    private long dropped;

    RelayLine(Inlet inlet, List<Outlet> outlets) {
        this.inlet = inlet;
        this.outlets = List.copyOf(outlets);
    }

    /** Passes on at most so many messages; returns how many there were. */
    int pass(int most) {
        return inlet.receive(most, this::pass);
    }

    private void pass(List<byte[]> parts) {
        received++;
        for (Outlet outlet : outlets) {
            if (outlet.send(parts)) {
                sent++;
            } else {
                dropped++;
            }
        }
    }

    /** Sees to connections; true if all outlets are taken. */
    boolean turn() {
        boolean taken = true;
        for (Outlet outlet : outlets) {
            outlet.turn();
            taken &= outlet.isTaken();
        }
        return taken;
    }

    String name() {
        return inlet.name();
    }

    long received() {
        return received;
    }

    long sent() {
        return sent;
    }

    long dropped() {
        return dropped;
    }

    @Override
    public void close() {
        inlet.close();
        outlets.forEach(Outlet::close);
    }
}
