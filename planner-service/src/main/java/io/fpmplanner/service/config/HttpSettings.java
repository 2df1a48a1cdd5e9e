/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

/**
 * Where the REST interface listens.
 *
 * @param host address or name to bind; loopback unless set, because everybody who reaches it may use it unless tokens or certificates are asked for
 * @param port TCP port, 0 for one chosen by the operating system; 0 to 65535
 * @param maxBodyBytes largest request body; larger ones get 413; 1 KiB to 16 MiB
 * @param access who may use it
 */
public record HttpSettings(String host, int port, int maxBodyBytes, AccessSettings access) {
    public HttpSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        if (host.chars().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
            throw new IllegalArgumentException(
                    "host must be an address or a name, without spaces or control characters");
        }
        Range.check("port", port, 0, 65_535);
        Range.check("maxBodyBytes", maxBodyBytes, 1_024, 16 << 20);
    }

    /** Settings without access control. */
    public HttpSettings(String host, int port, int maxBodyBytes) {
        this(host, port, maxBodyBytes, AccessSettings.defaults());
    }

    /** Loopback, port 8080. */
    public static HttpSettings defaults() {
        return new HttpSettings("127.0.0.1", 8080, 65_536);
    }

    /** These settings with other access. */
    public HttpSettings withAccess(AccessSettings other) {
        return new HttpSettings(host, port, maxBodyBytes, other);
    }

    /** These settings with another port. */
    public HttpSettings withPort(int otherPort) {
        return new HttpSettings(host, otherPort, maxBodyBytes, access);
    }
}
