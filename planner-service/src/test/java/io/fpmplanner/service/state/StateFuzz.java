/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Gives documents of any kind to the reader of states, past the checksum that would refuse nearly all of them. */
public final class StateFuzz {
    private StateFuzz() {}

    /** A state as it is saved. */
    public static List<byte[]> seeds() {
        return List.of(
                MemoryJson.write(
                        new PlannerMemory(5, new Planner(List.of()).memory(5).pools())),
                StateKeeperTest.document());
    }

    /** One document. */
    public static void read(byte[] data) {
        try {
            MemoryJson.read(data, new ArrayList<>());
        } catch (IOException refused) {
            // With a message of the JSON library or our own.
        }
    }
}
