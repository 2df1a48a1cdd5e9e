/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.RejectReason;

/** What came of a message: a report, or the reason why it is none. */
public sealed interface KvDecoding {
    /** The same, of the given rank where the message does not say its rank. */
    default KvDecoding withRankUnlessSaid(int rank) {
        return this instanceof Accepted accepted && accepted.report().dpRank().isEmpty()
                ? new Accepted(accepted.report().withDpRank(rank))
                : this;
    }

    /** The message said this. */
    record Accepted(KvReport report) implements KvDecoding {}

    /** The message was refused. */
    record Rejected(RejectReason reason) implements KvDecoding {}
}
