/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.OptionalInt;

/**
 * Where KEDA's external scaler is served over gRPC.
 *
 * @param host address or name to bind
 * @param port TCP port, 0 for one chosen by the operating system; empty to do without
 */
public record KedaSettings(String host, OptionalInt port) {
    public KedaSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        port.ifPresent(number -> Range.check("port", number, 0, 65_535));
    }

    static KedaSettings defaults() {
        return new KedaSettings("0.0.0.0", OptionalInt.empty());
    }
}
