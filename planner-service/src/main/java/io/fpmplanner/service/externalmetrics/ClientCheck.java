/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.service.access.ClientCertificates;
import io.vertx.core.http.HttpServerRequest;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a client may ask: it comes through a front proxy with the right certificate that names the user, or with a user
 * certificate. Stateless.
 *
 * <p>Certificates are verified here and not in the TLS handshake, as Kubernetes' servers do it: the handshake could only
 * break off, while here the client learns why, and probes of health need no certificate. What somebody may do was decided by
 * kube-apiserver before it forwarded the request.
 */
final class ClientCheck {
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
        List<X509Certificate> chain = ClientCertificates.of(request);
        if (chain.isEmpty()) {
            return Optional.of(Refusal.NO_CERTIFICATE);
        }
        boolean user = ClientCertificates.areSignedBy(authorities.users(), chain);
        if (!ClientCertificates.areSignedBy(authorities.frontProxies(), chain)) {
            return user ? Optional.empty() : Optional.of(Refusal.UNTRUSTED_CERTIFICATE);
        }
        if (!authorities.allowedNames().isEmpty()
                && ClientCertificates.commonName(chain.get(0))
                        .filter(authorities.allowedNames()::contains)
                        .isEmpty()) {
            return user ? Optional.empty() : Optional.of(Refusal.NAME_NOT_ALLOWED);
        }
        boolean named = authorities.usernameHeaders().stream()
                .map(request::getHeader)
                .anyMatch(value -> value != null && !value.isBlank());
        return named || user ? Optional.empty() : Optional.of(Refusal.NO_USER);
    }
}
