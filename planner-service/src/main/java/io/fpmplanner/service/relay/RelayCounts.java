/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.Locale;

/**
 * What went through a relay.
 *
 * @param received messages that came in
 * @param sent messages that went out, once for each target
 * @param dropped messages that a target did not take
 */
record RelayCounts(long received, long sent, long dropped) {
    static final RelayCounts NONE = new RelayCounts(0, 0, 0);

    RelayCounts plus(RelayCounts other) {
        return new RelayCounts(received + other.received, sent + other.sent, dropped + other.dropped);
    }

    String line(String name) {
        return String.format(Locale.ROOT, "%s: %d received, %d sent, %d dropped", name, received, sent, dropped);
    }
}
