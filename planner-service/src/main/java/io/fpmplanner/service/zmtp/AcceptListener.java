/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Says who may connect to a bound socket. Called on the reactor's thread. */
@FunctionalInterface
public interface AcceptListener {
    /** The listener of the new link, or null to turn the peer away. */
    @Nullable
    LinkListener accepted(SocketAddress peer);
}
