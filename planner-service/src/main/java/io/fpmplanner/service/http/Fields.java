/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.Role;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** How values appear in REST documents: what is not known is null, never 0, and no number is NaN or infinite. */
public final class Fields {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private Fields() {}

    /** A number; null if it is not finite. */
    public static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }

    /** A number; null if unknown. */
    public static void number(ObjectNode node, String name, OptionalDouble value) {
        number(node, name, value.orElse(Double.NaN));
    }

    /** A whole number; null if unknown. */
    public static void number(ObjectNode node, String name, OptionalLong value) {
        if (value.isPresent()) {
            node.put(name, value.getAsLong());
        } else {
            node.putNull(name);
        }
    }

    /** A whole number; null if unknown. */
    public static void number(ObjectNode node, String name, OptionalInt value) {
        if (value.isPresent()) {
            node.put(name, value.getAsInt());
        } else {
            node.putNull(name);
        }
    }

    /** A distribution of latency; null if unknown. */
    public static void spread(ObjectNode node, String name, Optional<LatencySpread> spread) {
        if (spread.isEmpty()) {
            node.putNull(name);
            return;
        }
        ObjectNode object = node.putObject(name);
        number(object, "meanSeconds", spread.get().meanSeconds());
        number(object, "p50Seconds", spread.get().p50Seconds());
        number(object, "p90Seconds", spread.get().p90Seconds());
        number(object, "p99Seconds", spread.get().p99Seconds());
    }

    /** A moment, RFC 3339 in UTC. */
    public static void time(ObjectNode node, String name, long epochNanos) {
        Instant instant = Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, NANOS_PER_SECOND), Math.floorMod(epochNanos, NANOS_PER_SECOND));
        node.put(name, instant.truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /** A role in lower case. */
    public static String role(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
