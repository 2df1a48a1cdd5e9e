/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;

/**
 * The serving certificate of a listener.
 *
 * @param certificateFile PEM, leaf first
 * @param privateKeyFile PEM, PKCS#8 or PKCS#1
 * @param reloadSeconds how often all files are looked at for changes, 1 to 3600
 */
public record TlsSettings(Path certificateFile, Path privateKeyFile, double reloadSeconds) {
    static final double DEFAULT_RELOAD_SECONDS = 10;

    public TlsSettings {
        Range.check("tls.reloadSeconds", reloadSeconds, 1, 3600);
    }
}
