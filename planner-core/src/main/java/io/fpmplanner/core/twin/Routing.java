/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

/** How requests are spread over the ranks of a pool. */
public enum Routing {
    /** Each to any rank alike, as a kernel does that hands out connections. */
    RANDOM,
    /** In turn. */
    ROUND_ROBIN,
    /** To the rank with the fewest requests inside, as load-aware routers do. */
    LEAST_LOADED
}
