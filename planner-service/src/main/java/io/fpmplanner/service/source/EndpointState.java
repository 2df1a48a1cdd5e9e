/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/** How far the way to an endpoint is open. Says nothing of whether frames come: see the rank's own state. */
public enum EndpointState {
    /** Its host name is being looked up for the first time. */
    RESOLVING,
    /** Its host name has no address; it is looked up again and again. */
    UNRESOLVABLE,
    /** No connection now; it is tried again and again. */
    CONNECTING,
    /** Something listens there that does not speak ZMTP; it is tried again after a while. */
    INCOMPATIBLE,
    /** Connected and subscribed. */
    CONNECTED
}
