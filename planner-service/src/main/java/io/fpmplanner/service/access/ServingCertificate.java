/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.fpmplanner.service.config.TlsSettings;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * The serving certificate with its key, as read at one moment. Immutable.
 *
 * @param certificate PEM, leaf first
 * @param key PEM
 * @param notAfter when the leaf expires
 */
public record ServingCertificate(Buffer certificate, Buffer key, Instant notAfter) {
    /**
     * Reads both files.
     *
     * @throws IOException with the name of the file that cannot be used
     */
    public static ServingCertificate read(TlsSettings tls) throws IOException {
        byte[] certificate = Files.readAllBytes(tls.certificateFile());
        byte[] key = Files.readAllBytes(tls.privateKeyFile());
        try {
            X509Certificate leaf = ClientCertificates.ofPem(certificate).get(0);
            return new ServingCertificate(
                    Buffer.buffer(certificate),
                    Buffer.buffer(key),
                    leaf.getNotAfter().toInstant());
        } catch (CertificateException e) {
            throw new IOException(tls.certificateFile() + ": " + e.getMessage(), e);
        }
    }

    /** As Vert.x takes it. */
    public PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key);
    }
}
