/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Certificates of clients and who signed them. Stateless. */
public final class ClientCertificates {
    private static final List<String> CLIENT_USAGES = List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

    private ClientCertificates() {}

    /**
     * All certificates of a PEM text.
     *
     * @throws CertificateException if there is none or one is malformed
     */
    public static List<X509Certificate> ofPem(byte[] pem) throws CertificateException {
        List<X509Certificate> certificates = new ArrayList<>();
        CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem))
                .forEach(certificate -> certificates.add((X509Certificate) certificate));
        if (certificates.isEmpty()) {
            throw new CertificateException("no certificate in it");
        }
        return certificates;
    }

    /** The chain that a client came with, leaf first; empty without TLS or a certificate. */
    public static List<X509Certificate> of(HttpServerRequest request) {
        return of(request.connection());
    }

    /** The same of a connection. */
    public static List<X509Certificate> of(HttpConnection connection) {
        SSLSession session = connection.sslSession();
        try {
            Certificate[] certificates = session == null ? new Certificate[0] : session.getPeerCertificates();
            return Arrays.stream(certificates)
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    /** Whether one of the authorities signed the chain, it is valid now, and the leaf may be used by clients. */
    public static boolean areSignedBy(List<X509Certificate> authorities, List<X509Certificate> chain) {
        if (authorities.isEmpty() || !isForClients(chain.get(0))) {
            return false;
        }
        try {
            X509CertSelector leaf = new X509CertSelector();
            leaf.setCertificate(chain.get(0));
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(
                    authorities.stream()
                            .map(authority -> new TrustAnchor(authority, null))
                            .collect(Collectors.toSet()),
                    leaf);
            parameters.setRevocationEnabled(false);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean isForClients(X509Certificate certificate) {
        try {
            List<String> usages = certificate.getExtendedKeyUsage();
            return usages == null || usages.stream().anyMatch(CLIENT_USAGES::contains);
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    /** The common name of the subject. */
    public static Optional<String> commonName(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .findFirst();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }
}
