/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The receiving side of ZeroMQ's wire protocol, ZMTP 3.0 and 3.1 with the NULL mechanism, over TCP and Unix-domain
 * sockets: SUB and PULL sockets that connect or bind.
 *
 * <p>Door: {@link io.fpmplanner.service.zmtp.ZmtpReactor}, one thread with one selector for any number of links. What
 * arrives and what becomes of a link is told to its {@link io.fpmplanner.service.zmtp.LinkListener} on that thread. {@link
 * io.fpmplanner.service.zmtp.ZmtpSession} is the protocol alone, without I/O and clock.
 */
@NullMarked
package io.fpmplanner.service.zmtp;

import org.jspecify.annotations.NullMarked;
