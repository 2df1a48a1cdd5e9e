/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Whom clients' certificates must come from. Immutable.
 *
 * @param frontProxies authorities of front proxies, whose word on the user is taken
 * @param allowedNames common names of front proxies that are believed; empty for all
 * @param usernameHeaders headers in which a front proxy names the user, first one that is there wins
 * @param users authorities of users with a certificate of their own
 */
record ClientAuthorities(
        List<X509Certificate> frontProxies,
        List<String> allowedNames,
        List<String> usernameHeaders,
        List<X509Certificate> users) {
    static final List<String> DEFAULT_USERNAME_HEADERS = List.of("X-Remote-User");

    ClientAuthorities {
        frontProxies = List.copyOf(frontProxies);
        allowedNames = List.copyOf(allowedNames);
        usernameHeaders = usernameHeaders.isEmpty() ? DEFAULT_USERNAME_HEADERS : List.copyOf(usernameHeaders);
        users = List.copyOf(users);
    }
}
