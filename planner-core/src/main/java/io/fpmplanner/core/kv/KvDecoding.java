/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.RejectReason;

/** What came of a message: a report, or the reason why it is none. */
public sealed interface KvDecoding {
    /** The message said this. */
    record Accepted(KvReport report) implements KvDecoding {}

    /** The message was refused. */
    record Rejected(RejectReason reason) implements KvDecoding {}
}
