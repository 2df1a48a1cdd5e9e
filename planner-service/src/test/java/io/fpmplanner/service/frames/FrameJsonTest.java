/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.FrameView;
import io.fpmplanner.core.fpm.RejectReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FrameJsonTest {
    private static final FrameView.Scheduled SCHEDULED =
            new FrameView.Scheduled(2, 256, OptionalDouble.of(4), 64, 3, 1024, OptionalDouble.of(50.5));
    private static final FrameView.Queued QUEUED =
            new FrameView.Queued(1, 128, OptionalDouble.of(0.25), 5, 900, OptionalDouble.of(9));

    private static final String NESTED = """
            {"version": 1, "worker_id": "8465209922961459", "dp_rank": 1, "counter_id": 70000,
             "timing_scope": "model_step_cuda", "wall_time": 0.0125,
             "scheduled_requests": {"num_prefill_requests": 2, "sum_prefill_tokens": 256, "var_prefill_length": 4,
               "sum_prefill_kv_tokens": 64, "num_decode_requests": 3, "sum_decode_kv_tokens": 1024,
               "var_decode_kv_tokens": 50.5},
             "queued_requests": {"num_prefill_requests": 1, "sum_prefill_tokens": 128, "var_prefill_length": 0.25,
               "num_decode_requests": 5, "sum_decode_kv_tokens": 900, "var_decode_kv_tokens": 9}}
            """;

    private final FrameJson json = new FrameJson();
    private final FpmFrame frame = new FpmFrame();

    @Test
    void readsEveryFieldOfTheNestedForm() {
        assertThat(read(NESTED)).isNull();

        assertThat(frame.view())
                .isEqualTo(new FrameView(
                        1,
                        "8465209922961459",
                        1,
                        70000,
                        "model_step_cuda",
                        0.0125,
                        SCHEDULED,
                        QUEUED,
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource
    void readsFlatForms(String text) {
        assertThat(read(text)).isNull();

        FrameView view = frame.view();
        assertThat(view.scheduled()).isEqualTo(SCHEDULED);
        assertThat(view.queued()).isEqualTo(QUEUED);
    }

    static Stream<Arguments> readsFlatForms() {
        String scheduled = """
                "?num_prefill_requests": 2, "?sum_prefill_tokens": 256, "?var_prefill_length": 4,
                "?sum_prefill_kv_tokens": 64, "?num_decode_requests": 3, "?sum_decode_kv_tokens": 1024,
                "?var_decode_kv_tokens": 50.5
                """;
        String queued = """
                "?num_prefill_requests": 1, "?sum_prefill_tokens": 128, "?var_prefill_length": 0.25,
                "?num_decode_requests": 5, "?sum_decode_kv_tokens": 900, "?var_decode_kv_tokens": 9
                """;
        String columns = """
                "queued_prefill_requests": 1, "queued_prefill_tokens": 128, "queued_var_prefill_length": 0.25,
                "queued_decode_requests": 5, "queued_decode_kv_tokens": 900, "queued_var_decode_kv_tokens": 9
                """;
        return Stream.of(
                arguments("{" + scheduled.replace("?", "scheduled_") + "," + queued.replace("?", "queued_") + "}"),
                arguments("{" + scheduled.replace("?", "scheduled_requests.") + ","
                        + queued.replace("?", "queued_requests.") + "}"),
                arguments("{" + scheduled.replace("?", "") + "," + columns + "}"),
                arguments("{\"queued_requests\": {\"num_prefill_requests\": 1, \"sum_prefill_tokens\": 128,"
                        + " \"var_prefill_length\": 0.25}, " + scheduled.replace("?", "scheduled_")
                        + ", \"queued_decode_requests\": 5, \"queued_decode_kv_tokens\": 900,"
                        + " \"queued_var_decode_kv_tokens\": 9}"));
    }

    @ParameterizedTest
    @MethodSource
    void refuses(String text, RejectReason reason) {
        assertThat(read(text)).isEqualTo(reason);
    }

    static Stream<Arguments> refuses() {
        return Stream.of(
                arguments("", RejectReason.NOT_JSON),
                arguments("{\"worker_id\": \"w\"", RejectReason.NOT_JSON),
                arguments("{'worker_id': 'w'}", RejectReason.NOT_JSON),
                arguments("<html>", RejectReason.NOT_JSON),
                arguments("[1, 2]", RejectReason.NOT_A_MAP),
                arguments("null", RejectReason.NOT_A_MAP),
                arguments("7", RejectReason.NOT_A_MAP),
                arguments("{}", RejectReason.NOT_FPM),
                arguments("{\"temperature\": 20}", RejectReason.NOT_FPM),
                arguments("{\"wall_time\": 1} {\"wall_time\": 2}", RejectReason.TRAILING_BYTES),
                arguments("{\"worker_id\": 7}", RejectReason.WRONG_TYPE),
                arguments("{\"worker_id\": null}", RejectReason.WRONG_TYPE),
                arguments("{\"dp_rank\": 1.0}", RejectReason.WRONG_TYPE),
                arguments("{\"dp_rank\": true}", RejectReason.WRONG_TYPE),
                arguments("{\"wall_time\": \"0.02\"}", RejectReason.WRONG_TYPE),
                arguments("{\"wall_time\": -1}", RejectReason.NEGATIVE),
                arguments("{\"counter_id\": -1}", RejectReason.NEGATIVE),
                arguments("{\"counter_id\": -99999999999999999999999}", RejectReason.NEGATIVE),
                arguments("{\"wall_time\": NaN}", RejectReason.NOT_FINITE),
                arguments("{\"wall_time\": Infinity}", RejectReason.NOT_FINITE),
                arguments("{\"wall_time\": 1e999}", RejectReason.NOT_FINITE),
                arguments("{\"counter_id\": 18446744073709551615}", RejectReason.TOO_LARGE),
                arguments("{\"counter_id\": 99999999999999999999999}", RejectReason.TOO_LARGE),
                arguments("{\"version\": 2}", RejectReason.UNSUPPORTED_VERSION),
                arguments("{\"scheduled_requests\": [1, 2]}", RejectReason.WRONG_TYPE),
                arguments("{\"scheduled_requests\": 3, \"num_decode_requests\": 1}", RejectReason.WRONG_TYPE),
                arguments("{\"queued_prefill_requests\": 0.5}", RejectReason.WRONG_TYPE),
                arguments("{\"x\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}", RejectReason.TOO_LARGE),
                arguments("{\"x\": " + "[".repeat(1_000) + "]".repeat(1_000) + "}", RejectReason.TOO_DEEP),
                arguments("{\"worker_id\": \"" + "w".repeat(2_000) + "\"}", RejectReason.TOO_LARGE),
                arguments("\"not base64!\"", RejectReason.NOT_BASE64),
                arguments("\"AAAA\"", RejectReason.NOT_A_MAP));
    }

    @Test
    void acceptsWhatTheWireAccepts() {
        assertThat(
                        read(
                                "{\"worker_id\": \"a\", \"worker_id\": \"b\", \"wall_time\": 0, \"extra\": [null, {\"x\": 1}]}"))
                .isNull();

        assertThat(frame.workerId()).isEqualTo("b");
        assertThat(frame.isHeartbeat()).isTrue();
    }

    @Test
    void writesWhatItReads() throws IOException {
        assertThat(read(NESTED)).isNull();

        assertThat(FrameJson.of(frame.view()).toString())
                .isEqualTo(new ObjectMapper()
                        .readTree(NESTED)
                        .toString()
                        .replace("\"var_prefill_length\":4,", "\"var_prefill_length\":4.0,")
                        .replace("\"var_decode_kv_tokens\":9}", "\"var_decode_kv_tokens\":9.0}"));
    }

    @Test
    void readsBase64OfItsOwnPayload() {
        assertThat(read(NESTED)).isNull();
        FrameView first = frame.view();
        String text = '"' + FrameJson.base64(json.payload()) + '"';
        frame.clearPayload();

        assertThat(read(text)).isNull();
        assertThat(frame.view()).isEqualTo(first);
        assertThat(read(text.replace('+', '-').replace('/', '_').replace("=", "")))
                .isNull();
    }

    @Test
    void neverThrowsOnDamagedText() {
        Random random = new Random(7);
        byte[] whole = NESTED.getBytes(UTF_8);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextBoolean() ? damaged.length : random.nextInt(damaged.length);
            json.read(damaged, 0, length, frame);
        }
        assertThat(read(NESTED)).isNull();
    }

    /** Every golden payload that is read as msgpack gives the same frame as JSON with its values. */
    @TestFactory
    Stream<DynamicTest> goldens() throws IOException {
        Path file = Path.of(System.getProperty("fpm.shared.reference", "absent"), "fpm-golden.json");
        if (!Files.exists(file)) {
            return Stream.of(dynamicTest("goldens", () -> Assumptions.abort("SKIPPED: no golden payloads at " + file)));
        }
        return StreamSupport.stream(new ObjectMapper().readTree(file.toFile()).spliterator(), false)
                .filter(entry -> entry.get("kind").asText().equals("payload"))
                .map(entry -> dynamicTest(entry.get("name").asText(), () -> sameAsMsgpack(entry)));
    }

    private void sameAsMsgpack(JsonNode entry) {
        byte[] payload = HexFormat.of().parseHex(entry.get("hex").asText());
        FpmFrame expected = new FpmFrame();
        if (new FpmDecoder().decode(payload, 0, payload.length, expected) != null) {
            return;
        }
        String text = FrameJson.of(expected.view()).toString();

        assertThat(read(text)).isNull();
        assertThat(frame.view()).isEqualTo(expected.view());
    }

    private @Nullable RejectReason read(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return json.read(bytes, 0, bytes.length, frame);
    }
}
