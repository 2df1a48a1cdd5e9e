/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.RejectReason;

/** Ends the reading of a message; never leaves this package. Has no stack trace: bad input is no fault of ours. */
final class KvRefused extends Exception {
    private static final long serialVersionUID = 1;

    private final RejectReason reason;

    KvRefused(RejectReason reason) {
        super(reason.sentence(), null, false, false);
        this.reason = reason;
    }

    RejectReason reason() {
        return reason;
    }
}
