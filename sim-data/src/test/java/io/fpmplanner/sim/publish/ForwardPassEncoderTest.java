/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardPassEncoderTest {
    /** Real msgspec output for {@link #mixedBatch()}: the values of SGLang's own unit test. */
    private static final String MIXED_BATCH_HEX = "87a776657273696f6e01a9776f726b65725f6964a8776f726b65722d37a764705f"
            + "72616e6b03aa636f756e7465725f6964ce00010000a977616c6c5f74696d65cb4012000000000000b27363686564756c65645f"
            + "726571756573747387b46e756d5f70726566696c6c5f726571756573747302b273756d5f70726566696c6c5f746f6b656e730c"
            + "b27661725f70726566696c6c5f6c656e677468cb4010000000000000b573756d5f70726566696c6c5f6b765f746f6b656e7305"
            + "b36e756d5f6465636f64655f726571756573747301b473756d5f6465636f64655f6b765f746f6b656e730bb47661725f646563"
            + "6f64655f6b765f746f6b656e73cb0000000000000000af7175657565645f726571756573747386b46e756d5f70726566696c6c"
            + "5f726571756573747301b273756d5f70726566696c6c5f746f6b656e7306b27661725f70726566696c6c5f6c656e677468cb00"
            + "00000000000000b36e756d5f6465636f64655f726571756573747301b473756d5f6465636f64655f6b765f746f6b656e7306b4"
            + "7661725f6465636f64655f6b765f746f6b656e73cb0000000000000000";

    /** Payloads that an encoder of complete, typed records can be asked for; the others are partial or broken on purpose. */
    private static final List<String> GOLDEN_NAMES = List.of(
            "v1_idle_heartbeat",
            "v1_prefill_only_with_queue",
            "v1_mixed_batch_sglang_unit_test",
            "v1_decode_only_disagg_decode",
            "v0_no_version_no_counter",
            "trtllm_via_fpm_direct_publisher",
            "vllm_native_v1_timing_scope_model_step_cuda",
            "vllm_native_v1_timing_scope_execute_model_cuda",
            "v1_empty_worker_id");

    private static ForwardPassMetrics mixedBatch() {
        return new ForwardPassMetrics(
                "worker-7",
                3,
                65_536,
                null,
                4.5,
                new ScheduledRequests(2, 12, 4.0, 5, 1, 11, 0.0),
                new QueuedRequests(1, 6, 0.0, 1, 6, 0.0));
    }

    @Test
    void mixed_batch_is_written_as_msgspec_writes_it() {
        byte[] payload = new ForwardPassEncoder(WireDialect.V1).encode(mixedBatch());

        assertThat(HexFormat.of().formatHex(payload)).isEqualTo(MIXED_BATCH_HEX);
    }

    @Test
    void integers_take_their_smallest_form_and_zero_is_a_float_where_a_float_belongs() {
        ForwardPassMetrics metrics = new ForwardPassMetrics(
                "w",
                0,
                0x1_0000_0001L,
                null,
                1.0,
                new ScheduledRequests(
                        1,
                        0x1_0000,
                        Double.longBitsToDouble(0x7e37e43c8800759cL),
                        0x8000_0000L,
                        0x1_0000_0000L,
                        Long.MAX_VALUE,
                        Double.MIN_VALUE),
                new QueuedRequests(0x7f, 0x80, -0.0, 0xff, 0x100, Double.MAX_VALUE));

        String hex = HexFormat.of().formatHex(new ForwardPassEncoder(WireDialect.V1).encode(metrics));

        // Real msgspec output for these values.
        assertThat(hex)
                .isEqualTo(
                        "87a776657273696f6e01a9776f726b65725f6964a177a764705f72616e6b00aa636f756e7465725f6964cf00000001"
                                + "00000001a977616c6c5f74696d65cb3ff0000000000000b27363686564756c65645f726571756573747387b46e75"
                                + "6d5f70726566696c6c5f726571756573747301b273756d5f70726566696c6c5f746f6b656e73ce00010000b27661"
                                + "725f70726566696c6c5f6c656e677468cb7e37e43c8800759cb573756d5f70726566696c6c5f6b765f746f6b656e"
                                + "73ce80000000b36e756d5f6465636f64655f7265717565737473cf0000000100000000b473756d5f6465636f6465"
                                + "5f6b765f746f6b656e73cf7fffffffffffffffb47661725f6465636f64655f6b765f746f6b656e73cb0000000000"
                                + "000001af7175657565645f726571756573747386b46e756d5f70726566696c6c5f72657175657374737fb273756d"
                                + "5f70726566696c6c5f746f6b656e73cc80b27661725f70726566696c6c5f6c656e677468cb8000000000000000b3"
                                + "6e756d5f6465636f64655f7265717565737473ccffb473756d5f6465636f64655f6b765f746f6b656e73cd0100b4"
                                + "7661725f6465636f64655f6b765f746f6b656e73cb7fefffffffffffff");
    }

    @Test
    void not_a_number_and_infinity_are_written_as_pythons_are() {
        ForwardPassMetrics metrics = new ForwardPassMetrics(
                "w",
                0,
                0,
                null,
                Double.NaN,
                new ScheduledRequests(0, 0, Double.POSITIVE_INFINITY, 0, 0, 0, Double.NEGATIVE_INFINITY),
                QueuedRequests.NONE);

        assertThat(HexFormat.of().formatHex(new ForwardPassEncoder(WireDialect.V1).encode(metrics)))
                .contains("a977616c6c5f74696d65cb7ff8000000000000")
                .contains("b27661725f70726566696c6c5f6c656e677468cb7ff0000000000000")
                .contains("b47661725f6465636f64655f6b765f746f6b656e73cbfff0000000000000");
    }

    @Test
    void one_encoder_writes_many_records() {
        ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        byte[] first = encoder.encode(mixedBatch());
        encoder.encode(ForwardPassMetrics.heartbeat("another", 0));

        assertThat(encoder.encode(mixedBatch())).isEqualTo(first);
    }

    @Test
    void every_complete_golden_payload_is_reproduced() throws Exception {
        Path golden = Path.of(System.getProperty("fpm.shared.reference", "")).resolve("fpm-golden.json");
        assumeTrue(Files.isRegularFile(golden), "golden payloads not found: " + golden);
        int compared = 0;

        for (JsonNode entry : new ObjectMapper().readTree(golden.toFile())) {
            String name = entry.get("name").asText();
            if (GOLDEN_NAMES.contains(name)) {
                JsonNode fields = entry.get("fields");
                WireDialect dialect = fields.has("version") ? WireDialect.V1 : WireDialect.V0;
                byte[] payload = new ForwardPassEncoder(dialect).encode(metrics(fields));
                assertThat(HexFormat.of().formatHex(payload))
                        .as(name)
                        .isEqualTo(entry.get("hex").asText());
                compared++;
            }
        }

        assertThat(compared).isEqualTo(GOLDEN_NAMES.size());
    }

    private static ForwardPassMetrics metrics(JsonNode fields) {
        JsonNode scheduled = fields.get("scheduled_requests");
        JsonNode queued = fields.get("queued_requests");
        return new ForwardPassMetrics(
                fields.get("worker_id").asText(),
                fields.get("dp_rank").asInt(),
                fields.path("counter_id").asLong(),
                fields.has("timing_scope") ? fields.get("timing_scope").asText() : null,
                fields.get("wall_time").asDouble(),
                new ScheduledRequests(
                        scheduled.get("num_prefill_requests").asLong(),
                        scheduled.get("sum_prefill_tokens").asLong(),
                        scheduled.get("var_prefill_length").asDouble(),
                        scheduled.get("sum_prefill_kv_tokens").asLong(),
                        scheduled.get("num_decode_requests").asLong(),
                        scheduled.get("sum_decode_kv_tokens").asLong(),
                        scheduled.get("var_decode_kv_tokens").asDouble()),
                new QueuedRequests(
                        queued.get("num_prefill_requests").asLong(),
                        queued.get("sum_prefill_tokens").asLong(),
                        queued.get("var_prefill_length").asDouble(),
                        queued.get("num_decode_requests").asLong(),
                        queued.get("sum_decode_kv_tokens").asLong(),
                        queued.get("var_decode_kv_tokens").asDouble()));
    }
}
