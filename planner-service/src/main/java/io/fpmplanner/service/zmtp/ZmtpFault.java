/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

/**
 * Why a link cannot go on.
 *
 * @param kind whether it ever spoke the protocol
 * @param why what is wrong, in words
 */
record ZmtpFault(Kind kind, String why) {
    enum Kind {
        /** The peer does not speak ZMTP 3, wants another mechanism, or is no socket for us. */
        FOREIGN,
        /** The peer broke the protocol or a limit after it had greeted us. */
        BREACH
    }

    static ZmtpFault foreign(String why) {
        return new ZmtpFault(Kind.FOREIGN, why);
    }

    static ZmtpFault breach(String why) {
        return new ZmtpFault(Kind.BREACH, why);
    }
}
