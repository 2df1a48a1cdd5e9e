/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value that is a frame, bare or in one of Dynamo's wrappings.
 *
 * <ul>
 *   <li>the export over a Unix socket: {@code {"namespace", "component", "publisher_id", "sequence", "published_at_ms",
 *       "metrics": FRAME}} (Dynamo's {@code common/export_forward_pass_metrics.py})
 *   <li>a line of a {@code dynamo.fpm.trace.v1} file: {@code {"timestamp", "event": {"schema", "source": {"namespace",
 *       "component", "producer_id"}, "observed_at_unix_ms", "fpm": FRAME}}}, or its event alone
 * </ul>
 *
 * <p>What the wrapping tells is kept until the next line is read. Not threadsafe.
 */
public final class FrameLineReader {
    /** Stands for a number that the wrapping does not give. */
    public static final long UNKNOWN = -1;

    private static final int MOST_DIGITS = 18;

    private final FrameJson json = new FrameJson();
    private String publisher = "";
    private String component = "";
    private long sequence;
    private long publishedAtMillis;

    /**
     * Reads one line of UTF-8 text; the end of the line does not matter.
     *
     * @param into its payload is overwritten, its arrival stamps are left alone
     * @return null when accepted, else the reason of the refusal
     */
    public @Nullable RejectReason read(byte[] text, int offset, int length, FpmFrame into) {
        forget();
        if (length > FrameJson.MAX_FRAME_BYTES) {
            return RejectReason.TOO_LARGE;
        }
        try {
            return read(FrameJson.tree(text, offset, length), into);
        } catch (JsonRefused e) {
            return e.reason();
        }
    }

    /** As {@link #read(byte[], int, int, FpmFrame)}, of a value that was parsed already. */
    public @Nullable RejectReason read(JsonNode line, FpmFrame into) {
        forget();
        JsonNode event = line.path("event");
        JsonNode traced = event.path("fpm").isMissingNode() ? line : event;
        JsonNode frame = traced.get("fpm");
        if (frame != null) {
            JsonNode source = traced.path("source");
            publisher = text(source.path("producer_id"));
            component = component(source);
            publishedAtMillis = number(traced.path("observed_at_unix_ms"));
            return json.read(frame, into);
        }
        frame = line.get("metrics");
        if (frame != null) {
            publisher = text(line.path("publisher_id"));
            component = component(line);
            sequence = number(line.path("sequence"));
            publishedAtMillis = number(line.path("published_at_ms"));
            return json.read(frame, into);
        }
        return json.read(line, into);
    }

    /** The event-plane publisher that the frame came from; empty if not said. It is not the worker. */
    public String publisher() {
        return publisher;
    }

    /** The publisher as a number, &ge; 0, or {@link #UNKNOWN} if it is not said or no number. */
    public long publisherId() {
        boolean digits = !publisher.isEmpty()
                && publisher.length() <= MOST_DIGITS
                && publisher.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(publisher) : UNKNOWN;
    }

    /** {@code namespace/component} of the publisher; empty if not said. */
    public String component() {
        return component;
    }

    /** The publisher's own number of the message, &ge; 0, or {@link #UNKNOWN}. Ranks of one publisher share the count. */
    public long sequence() {
        return sequence;
    }

    /** When it was published or observed there, milliseconds since the Unix epoch, or {@link #UNKNOWN}. */
    public long publishedAtMillis() {
        return publishedAtMillis;
    }

    /** The msgpack payload that the frame accepted last stands for; a new array for each frame. */
    public byte[] payload() {
        return json.payload();
    }

    /** The field that the newest line was refused for; empty if it was no single one's fault. */
    public String refusedField() {
        return json.refusedField();
    }

    private void forget() {
        publisher = "";
        component = "";
        sequence = UNKNOWN;
        publishedAtMillis = UNKNOWN;
    }

    private static String component(JsonNode source) {
        String namespace = text(source.path("namespace"));
        String component = text(source.path("component"));
        return namespace.isEmpty() && component.isEmpty() ? "" : namespace + "/" + component;
    }

    private static String text(JsonNode node) {
        return node.isTextual() || node.isIntegralNumber() ? node.asText() : "";
    }

    private static long number(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0 ? node.longValue() : UNKNOWN;
    }
}
