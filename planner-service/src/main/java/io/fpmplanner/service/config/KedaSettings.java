/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where KEDA's external scaler and the plugin for Dynamo's planner are served over gRPC.
 *
 * @param host address or name to bind
 * @param port TCP port, 0 for one chosen by the operating system; empty to do without
 * @param tls the serving certificate; empty for gRPC in the clear
 * @param access who may call
 */
public record KedaSettings(String host, OptionalInt port, Optional<TlsSettings> tls, Access access) {
    /** Who may call. */
    public enum Access {
        /** Whoever may read on the REST interface, by token, certificate and address. */
        SAME,
        /** Everybody who reaches the port. */
        ANYONE
    }

    public KedaSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        port.ifPresent(number -> Range.check("port", number, 0, 65_535));
    }

    static KedaSettings defaults() {
        return new KedaSettings("0.0.0.0", OptionalInt.empty(), Optional.empty(), Access.SAME);
    }
}
