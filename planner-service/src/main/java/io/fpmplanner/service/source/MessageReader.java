/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.zmtp.ZmtpMessage;

/** Makes frames of the messages of one endpoint. Used by the thread that receives. */
@FunctionalInterface
interface MessageReader {
    /** Takes a message in, or counts why it is none for us. */
    void read(EndpointLedger from, ZmtpMessage message);
}
