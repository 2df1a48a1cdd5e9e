/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.vertx.core.http.HttpServerRequest;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Whether a client may ask: it comes through a front proxy with the right certificate that names the user, or with a user
 * certificate. Stateless.
 *
 * <p>Certificates are verified here and not in the TLS handshake, as Kubernetes' servers do it: the handshake could only
 * break off, while here the client learns why, and probes of health need no certificate. What somebody may do was decided by
 * kube-apiserver before it forwarded the request.
 */
final class ClientCheck {
    private static final List<String> CLIENT_USAGES = List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

    private ClientCheck() {}

    /** Why a client is refused. */
    enum Refusal {
        NO_CERTIFICATE("come with a client certificate, as kube-aggregator does"),
        UNTRUSTED_CERTIFICATE("the client certificate is expired, not for clients, or of no authority trusted here"),
        NAME_NOT_ALLOWED("the common name of the client certificate is not among the allowed names of front proxies"),
        NO_USER("the front proxy names no user in the user name headers");

        final String hint;

        Refusal(String hint) {
            this.hint = hint;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Why not; empty if the client may ask. */
    static Optional<Refusal> refusal(ClientAuthorities authorities, HttpServerRequest request) {
        List<X509Certificate> chain = chain(request);
        if (chain.isEmpty()) {
            return Optional.of(Refusal.NO_CERTIFICATE);
        }
        boolean user = isSignedBy(authorities.users(), chain);
        if (!isSignedBy(authorities.frontProxies(), chain)) {
            return user ? Optional.empty() : Optional.of(Refusal.UNTRUSTED_CERTIFICATE);
        }
        if (!authorities.allowedNames().isEmpty()
                && commonName(chain.get(0))
                        .filter(authorities.allowedNames()::contains)
                        .isEmpty()) {
            return user ? Optional.empty() : Optional.of(Refusal.NAME_NOT_ALLOWED);
        }
        boolean named = authorities.usernameHeaders().stream()
                .map(request::getHeader)
                .anyMatch(value -> value != null && !value.isBlank());
        return named || user ? Optional.empty() : Optional.of(Refusal.NO_USER);
    }

    private static List<X509Certificate> chain(HttpServerRequest request) {
        SSLSession session = request.connection().sslSession();
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

    private static boolean isSignedBy(List<X509Certificate> authorities, List<X509Certificate> chain) {
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

    private static Optional<String> commonName(X509Certificate certificate) {
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
