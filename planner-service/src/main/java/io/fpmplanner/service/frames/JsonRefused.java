/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import io.fpmplanner.core.fpm.RejectReason;

/** A text that cannot be read as JSON, or JSON that no msgpack stands for. Carries no stack: it is data. */
final class JsonRefused extends Exception {
    private final RejectReason reason;

    JsonRefused(RejectReason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    RejectReason reason() {
        return reason;
    }
}
