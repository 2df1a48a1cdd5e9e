/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.vertx.core.Future;

/** Where the authorities of clients are read from, again and again. */
@FunctionalInterface
interface AuthoritySource {
    /** Reads them; a failure says in its message what could not be read and why. */
    Future<ClientAuthorities> read();
}
