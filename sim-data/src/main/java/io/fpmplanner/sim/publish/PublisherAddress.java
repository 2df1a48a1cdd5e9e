/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/** Where the ranks of an engine publish, each on an address of its own that ends in its rank. Immutable. */
public sealed interface PublisherAddress {
    /** The address that a rank binds, e.g. {@code tcp://*:20381} or {@code ipc:///run/fpm.1}. */
    String bindAddress(int dpRank);

    /**
     * TCP as vLLM and Dynamo do it: rank r binds {@code basePort + r}.
     *
     * @param host interface to bind, {@code *} for all
     * @param basePort first port of the engine, 0 to 65535; 0 lets the system choose
     */
    record Tcp(String host, int basePort) implements PublisherAddress {
        private static final int HIGHEST_PORT = 65_535;

        @Override
        public String bindAddress(int dpRank) {
            if (basePort < 0 || basePort + dpRank > HIGHEST_PORT) {
                throw new IllegalArgumentException("basePort + dpRank must lie between 0 and " + HIGHEST_PORT + ", was "
                        + basePort + " + " + dpRank);
            }
            return "tcp://" + host + ":" + (basePort == 0 ? "*" : Integer.toString(basePort + dpRank));
        }
    }

    /**
     * A Unix socket as SGLang does it: rank r binds {@code PATH.r}.
     *
     * @param path absolute path without the suffix; at most 100 bytes with it
     */
    record Ipc(String path) implements PublisherAddress {
        /** What fits into a socket address on every system, with room for the end. */
        private static final int LONGEST_PATH = 100;

        @Override
        public String bindAddress(int dpRank) {
            String full = path + "." + dpRank;
            if (!path.startsWith("/") || full.length() > LONGEST_PATH) {
                throw new IllegalArgumentException(
                        "path must start with / and have at most " + LONGEST_PATH + " characters, was " + full);
            }
            return "ipc://" + full;
        }
    }
}
