/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

/**
 * How much a peer may send before its link is closed. Bounds the memory that a link can take to about twice {@code
 * messageBytes}.
 *
 * @param partBytes largest part of a message; at least 1
 * @param messageBytes largest message with all its parts, their headers and the commands among them; at least partBytes
 * @param parts most parts of a message; 1 to {@value ZmtpMessage#MAX_PARTS}
 */
public record ZmtpLimits(int partBytes, int messageBytes, int parts) {
    public ZmtpLimits {
        if (partBytes < 1 || messageBytes < partBytes || parts < 1 || parts > ZmtpMessage.MAX_PARTS) {
            throw new IllegalArgumentException("limits must be positive and nested, were " + partBytes
                    + " bytes a part, " + messageBytes + " a message, " + parts + " parts");
        }
    }
}
