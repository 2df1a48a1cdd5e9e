/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All golden payloads of the reference collection, if it is there: right values or the right reason. */
class GoldenFpmTest {
    private static final HexFormat HEX = HexFormat.of();

    @TestFactory
    Stream<DynamicTest> goldens() throws IOException {
        Path file = Path.of(System.getProperty("fpm.shared.reference", "absent"), "fpm-golden.json");
        if (!Files.exists(file)) {
            // A test that skips is reported; a factory that gives up is not.
            return Stream.of(dynamicTest("goldens", () -> Assumptions.abort("SKIPPED: no golden payloads at " + file)));
        }
        JsonNode all = new ObjectMapper().readTree(file.toFile());
        return StreamSupport.stream(all.spliterator(), false)
                .map(entry -> dynamicTest(entry.get("name").asText(), () -> check(entry)));
    }

    private static void check(JsonNode entry) {
        String name = entry.get("name").asText();
        checkEnvelope(name, entry);
        FpmFrame frame = new FpmFrame();
        RejectReason reason = entry.has("frames_hex")
                ? new FpmDecoder().decodeMultipart(parts(entry.get("frames_hex")), frame)
                : decode(HEX.parseHex(entry.get("hex").asText()), frame);
        assertThat(reason).as(name).isEqualTo(expected(name, entry.get("kind").asText()));
        if (reason == null && entry.get("fields").isObject()) {
            assertFields(frame, entry.get("fields"));
        }
    }

    /** The same entry read as an event: all envelopes of the collection are accepted and nothing else is. */
    private static void checkEnvelope(String name, JsonNode entry) {
        EventEnvelope envelope = new EventEnvelope();
        EventEnvelopeDecoder decoder = new EventEnvelopeDecoder();
        RejectReason reason;
        if (entry.has("frames_hex")) {
            reason = decoder.decodeMultipart(parts(entry.get("frames_hex")), envelope);
        } else {
            byte[] bytes = HEX.parseHex(entry.get("hex").asText());
            reason = decoder.decode(bytes, 0, bytes.length, envelope);
        }
        boolean event = name.startsWith("event_envelope_msgpack") || name.startsWith("event_plane");
        assertThat(reason == null).as("%s as an event: %s", name, reason).isEqualTo(event);
        if (event) {
            JsonNode fields = entry.get("fields");
            assertThat(envelope.publisherId())
                    .isEqualTo(fields.get("publisher_id").asLong());
            assertThat(envelope.sequence()).isEqualTo(fields.get("sequence").asLong());
            assertThat(envelope.publishedAtMillis())
                    .isEqualTo(fields.get("published_at").asLong());
            assertThat(envelope.topic()).isEqualTo(fields.get("topic").asText());
            int end = envelope.payloadOffset() + envelope.payloadLength();
            assertThat(HEX.formatHex(envelope.buffer(), envelope.payloadOffset(), end))
                    .isEqualTo(fields.get("payload_hex").asText());
        }
    }

    private static RejectReason decode(byte[] payload, FpmFrame frame) {
        return new FpmDecoder().decode(payload, 0, payload.length, frame);
    }

    private static List<byte[]> parts(JsonNode hex) {
        List<byte[]> parts = new ArrayList<>();
        hex.forEach(part -> parts.add(HEX.parseHex(part.asText())));
        return parts;
    }

    private static RejectReason expected(String name, String kind) {
        return switch (name) {
            case "v1_nan_inf" -> RejectReason.NOT_FINITE;
            case "v1_negative_values" -> RejectReason.NEGATIVE;
            case "v2_future_version" -> RejectReason.UNSUPPORTED_VERSION;
            case "reject_positional_array" -> RejectReason.NOT_A_MAP;
            case "reject_float_in_int_field" -> RejectReason.WRONG_TYPE;
            case "reject_trailing_bytes" -> RejectReason.TRAILING_BYTES;
            case "reject_truncated" -> RejectReason.TRUNCATED;
            case "sglang_loadstat_frames" -> RejectReason.BAD_MULTIPART;
            case "dynamo_activeload_payload" -> RejectReason.WRONG_TYPE;
            case "event_envelope_nats_json_legacy" -> RejectReason.NOT_A_MAP;
            default -> expectedOfKind(name, kind);
        };
    }

    private static RejectReason expectedOfKind(String name, String kind) {
        return switch (kind) {
            case "payload" -> null;
            case "zmq_multipart" -> name.startsWith("event_plane") ? RejectReason.BAD_MULTIPART : null;
            case "event_envelope" -> RejectReason.NOT_FPM;
            /* Pickle begins with 0x80, which msgpack reads as an empty map. */
            default -> name.contains("pickle") ? RejectReason.NOT_FPM : RejectReason.NOT_A_MAP;
        };
    }

    /** The collection lists notable fields only, so a variance that is not said counts as the default. */
    private static FrameView.Scheduled said(FrameView.Scheduled view) {
        return new FrameView.Scheduled(
                view.prefillRequests(),
                view.prefillTokens(),
                OptionalDouble.of(view.prefillLengthVariance().orElse(0)),
                view.prefillKvTokens(),
                view.decodeRequests(),
                view.decodeKvTokens(),
                OptionalDouble.of(view.decodeKvVariance().orElse(0)));
    }

    private static FrameView.Queued said(FrameView.Queued view) {
        return new FrameView.Queued(
                view.prefillRequests(),
                view.prefillTokens(),
                OptionalDouble.of(view.prefillLengthVariance().orElse(0)),
                view.decodeRequests(),
                view.decodeKvTokens(),
                OptionalDouble.of(view.decodeKvVariance().orElse(0)));
    }

    private static void assertFields(FpmFrame frame, JsonNode fields) {
        FrameView view = frame.view();
        assertThat(view.workerId()).isEqualTo(fields.path("worker_id").asText(""));
        assertThat(view.dpRank()).isEqualTo(fields.path("dp_rank").asInt(0));
        assertThat(view.counterId()).isEqualTo(fields.path("counter_id").asLong(0));
        assertThat(view.timingScope()).isEqualTo(fields.path("timing_scope").asText(""));
        assertThat(view.wallTimeSeconds()).isEqualTo(fields.path("wall_time").asDouble(0));
        JsonNode scheduled = fields.path("scheduled_requests");
        assertThat(said(view.scheduled()))
                .isEqualTo(new FrameView.Scheduled(
                        scheduled.path("num_prefill_requests").asLong(0),
                        scheduled.path("sum_prefill_tokens").asLong(0),
                        OptionalDouble.of(scheduled.path("var_prefill_length").asDouble(0)),
                        scheduled.path("sum_prefill_kv_tokens").asLong(0),
                        scheduled.path("num_decode_requests").asLong(0),
                        scheduled.path("sum_decode_kv_tokens").asLong(0),
                        OptionalDouble.of(scheduled.path("var_decode_kv_tokens").asDouble(0))));
        JsonNode queued = fields.path("queued_requests");
        assertThat(said(view.queued()))
                .isEqualTo(new FrameView.Queued(
                        queued.path("num_prefill_requests").asLong(0),
                        queued.path("sum_prefill_tokens").asLong(0),
                        OptionalDouble.of(queued.path("var_prefill_length").asDouble(0)),
                        queued.path("num_decode_requests").asLong(0),
                        queued.path("sum_decode_kv_tokens").asLong(0),
                        OptionalDouble.of(queued.path("var_decode_kv_tokens").asDouble(0))));
    }
}
