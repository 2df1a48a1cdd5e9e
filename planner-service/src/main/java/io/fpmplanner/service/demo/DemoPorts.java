/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A block of loopback ports for the simulated engines, kept from other demos while this one runs. */
final class DemoPorts implements AutoCloseable {
    /*
     * Engines bind their ports only while they live, so a second demo would find most of the block free and the two planners
     * would listen to each other's engines. The block's first port is a guard that is held all the time.
     */
    static final String HOST = "127.0.0.1";

    private static final int FIRST_BLOCK = 29_500;
    private static final int BLOCKS = 50;

    private final ServerSocket guard;
    private final Map<String, Integer> firstPorts;

    private DemoPorts(ServerSocket guard, Map<String, Integer> firstPorts) {
        this.guard = guard;
        this.firstPorts = firstPorts;
    }

    /**
     * Finds a free block.
     *
     * @param poolIds pools, each of which gets {@code portsPerPool} ports in a row
     * @throws IOException when all blocks are taken
     */
    static DemoPorts claim(List<String> poolIds, int portsPerPool) throws IOException {
        int blockSize = 1 + poolIds.size() * portsPerPool;
        for (int block = 0; block < BLOCKS; block++) {
            int first = FIRST_BLOCK + block * blockSize;
            ServerSocket guard = bind(first);
            if (guard == null) {
                continue;
            }
            if (allFree(first + 1, blockSize - 1)) {
                return new DemoPorts(guard, assign(poolIds, first + 1, portsPerPool));
            }
            guard.close();
        }
        throw new IOException(
                "no " + blockSize + " free ports in a row from " + FIRST_BLOCK + " on for simulated engines");
    }

    private static Map<String, Integer> assign(List<String> poolIds, int first, int portsPerPool) {
        return poolIds.stream()
                .collect(Collectors.toUnmodifiableMap(id -> id, id -> first + poolIds.indexOf(id) * portsPerPool));
    }

    private static boolean allFree(int first, int count) throws IOException {
        for (int port = first; port < first + count; port++) {
            ServerSocket probe = bind(port);
            if (probe == null) {
                return false;
            }
            probe.close();
        }
        return true;
    }

    /** Null when the port is taken. */
    static @Nullable ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            return null; // Taken is an answer here, not a failure.
        }
    }

    int firstPort(String poolId) {
        Integer port = firstPorts.get(poolId);
        if (port == null) {
            throw new IllegalArgumentException("no ports for pool " + poolId);
        }
        return port;
    }

    Map<String, Integer> firstPorts() {
        return firstPorts;
    }

    @Override
    public void close() throws IOException {
        guard.close();
    }
}
