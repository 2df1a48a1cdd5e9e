/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Authorities and certificates as a cluster has them, made anew for each test. */
public final class TestPki {
    public final X509Bundle serving = authority("serving-ca");
    final X509Bundle frontProxies = authority("front-proxy-ca");
    public final X509Bundle users = authority("cluster-ca");
    private final Instant now = Instant.now();

    public static X509Bundle authority(String name) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + name)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public X509Bundle server(Duration validFor) throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=planner.llm.svc")
                .addSanDnsName("planner.llm.svc")
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .addExtendedKeyUsageServerAuth()
                .notBefore(now.minus(Duration.ofDays(2)))
                .notAfter(now.plus(validFor))
                .buildIssuedBy(serving);
    }

    public X509Bundle client(X509Bundle authority, String name) throws Exception {
        return clientBuilder(name).addExtendedKeyUsageClientAuth().buildIssuedBy(authority);
    }

    X509Bundle expiredClient(X509Bundle authority, String name) throws Exception {
        return clientBuilder(name).notAfter(now.minus(Duration.ofDays(1))).buildIssuedBy(authority);
    }

    X509Bundle serverOnly(X509Bundle authority, String name) throws Exception {
        return clientBuilder(name).addExtendedKeyUsageServerAuth().buildIssuedBy(authority);
    }

    private CertificateBuilder clientBuilder(String name) {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .notBefore(now.minus(Duration.ofDays(2)))
                .notAfter(now.plus(Duration.ofDays(2)));
    }

    /** Writes certificate and key; each file appears whole, as the kubelet does it. */
    public static void write(Path directory, X509Bundle bundle) throws Exception {
        replace(directory.resolve("tls.key"), bundle.getPrivateKeyPEM());
        replace(directory.resolve("tls.crt"), bundle.getCertificatePathPEM());
    }

    public static Path replace(Path file, String text) throws Exception {
        Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What a client trusts and, if any, has for itself. */
    public SSLContext client(X509Bundle identity) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] keys =
                identity == null ? null : identity.toKeyManagerFactory().getKeyManagers();
        context.init(keys, new TrustManager[] {serving.toTrustManager()}, new SecureRandom());
        return context;
    }
}
