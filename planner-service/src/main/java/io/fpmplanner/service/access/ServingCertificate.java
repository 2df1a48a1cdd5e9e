/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.fpmplanner.service.config.TlsSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The serving certificate with its key, as read at one moment. Immutable.
 *
 * @param certificate PEM, leaf first
 * @param key PEM
 * @param notAfter when the leaf expires
 */
record ServingCertificate(Buffer certificate, Buffer key, Instant notAfter) {
    private static final byte[] PROOF = "whose key is it".getBytes(StandardCharsets.US_ASCII);

    /**
     * Reads both files. Blocks.
     *
     * @throws IOException with the name of the file that cannot be used, or if the key is not the certificate's, as it is
     *     while one of the files was replaced and the other was not
     */
    static ServingCertificate read(TlsSettings tls, Vertx vertx) throws IOException {
        byte[] certificate = Files.readAllBytes(tls.certificateFile());
        byte[] key = Files.readAllBytes(tls.privateKeyFile());
        X509Certificate leaf;
        try {
            leaf = ClientCertificates.ofPem(certificate).get(0);
        } catch (CertificateException e) {
            throw new IOException(tls.certificateFile() + ": " + e.getMessage(), e);
        }
        ServingCertificate read = new ServingCertificate(
                Buffer.buffer(certificate),
                Buffer.buffer(key),
                leaf.getNotAfter().toInstant());
        if (!isPair(leaf, read.privateKey(tls, leaf, vertx))) {
            throw new IOException(
                    tls.privateKeyFile() + " is not the key of the certificate in " + tls.certificateFile());
        }
        return read;
    }

    /** Vert.x reads keys of more kinds than Java does. */
    private PrivateKey privateKey(TlsSettings tls, X509Certificate leaf, Vertx vertx) throws IOException {
        try {
            KeyManager[] managers = options().getKeyManagerFactory(vertx).getKeyManagers();
            X509KeyManager manager = (X509KeyManager) managers[0];
            String algorithm = leaf.getPublicKey().getAlgorithm();
            String[] names = Objects.requireNonNull(manager.getServerAliases(algorithm, null), "key of another kind");
            return Objects.requireNonNull(manager.getPrivateKey(names[0]));
        } catch (Exception e) {
            throw new IOException(
                    tls.privateKeyFile() + " cannot be used with " + tls.certificateFile() + ": " + e.getMessage(), e);
        }
    }

    private static boolean isPair(X509Certificate leaf, PrivateKey key) {
        String algorithm = leaf.getPublicKey().getAlgorithm();
        try {
            Signature signature = Signature.getInstance(
                    switch (algorithm) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> algorithm;
                    });
            signature.initSign(key);
            signature.update(PROOF);
            byte[] proof = signature.sign();
            signature.initVerify(leaf.getPublicKey());
            signature.update(PROOF);
            return signature.verify(proof);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /**
     * Whether it should be served in place of another one, which it should not when it has expired and the other has not.
     *
     * @throws IOException if it should not, with the reason
     */
    void requireNoWorseThan(@Nullable ServingCertificate inForce, Instant now) throws IOException {
        if (inForce != null && !notAfter.isAfter(now) && inForce.notAfter.isAfter(now)) {
            throw new IOException("the new certificate expired at " + notAfter + ", the one in force has not");
        }
    }

    /** As Vert.x takes it. */
    PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key);
    }
}
