/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import io.fpmplanner.service.access.ClientCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** By whom the certificates of NATS servers must be signed. Stateless. */
final class NatsTrust {
    private NatsTrust() {}

    /** Trusts the authorities in the file, or those that Java comes with. */
    static SSLContext context(@Nullable String file) {
        try {
            KeyStore authorities = null;
            if (file != null && !file.isBlank()) {
                authorities = KeyStore.getInstance(KeyStore.getDefaultType());
                authorities.load(null, null);
                int number = 0;
                for (X509Certificate each : ClientCertificates.ofPem(Files.readAllBytes(Path.of(file)))) {
                    authorities.setCertificateEntry("authority-" + number++, each);
                }
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), new SecureRandom());
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException("NATS_TLS_CA_FILE cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(new IOException("NATS_TLS_CA_FILE " + file + ": " + e.getMessage(), e));
        }
    }
}
