/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import java.util.List;

/**
 * A known form of recorded FPM: the names of its columns. Forms are told apart by the column of the wall time.
 *
 * @param wallTime column of the wall time
 * @param secondsPerUnit its unit
 * @param prefill columns of the scheduled prefill
 * @param decode columns of the scheduled decode
 * @param queuedPrefill columns of the waiting prompts
 * @param queuedDecode columns of the requests waiting to decode
 */
record CsvForm(
        String wallTime,
        double secondsPerUnit,
        Columns prefill,
        Columns decode,
        Columns queuedPrefill,
        Columns queuedDecode) {
    /** Stands for a column that a form does not have. */
    private static final String NONE = "";

    private static final CsvForm VLLM_DETAIL = new CsvForm(
            "latency_ms",
            1e-3,
            new Columns("num_prefill_requests", "sum_prefill_tokens", "var_prefill_length", "sum_prefill_kv_tokens"),
            new Columns("num_decode_requests", NONE, "var_decode_kv_tokens", "sum_decode_kv_tokens"),
            new Columns("queued_prefill_requests", "queued_prefill_tokens", "queued_var_prefill_length", NONE),
            new Columns("queued_decode_requests", NONE, "queued_var_decode_kv_tokens", "queued_decode_kv_tokens"));

    private static final CsvForm TENSORRT_LLM = new CsvForm(
            "wall_time_s",
            1,
            new Columns("prefill_requests", "prefill_tokens", NONE, "prefill_kv_tokens"),
            new Columns("decode_requests", NONE, NONE, "decode_kv_tokens"),
            new Columns("queued_prefill_requests", "queued_prefill_tokens", NONE, NONE),
            new Columns("queued_decode_requests", NONE, NONE, "queued_decode_kv_tokens"));

    /** The per-frame detail of Dynamo with vLLM, and the frames of TensorRT-LLM. */
    static final List<CsvForm> ALL = List.of(VLLM_DETAIL, TENSORRT_LLM);

    /** Names of the columns of one side of a batch or queue; tokens are those to compute, KV tokens those cached. */
    record Columns(String requests, String tokens, String variance, String kvTokens) {}

    /** Whether a header with these columns is of this form: it has the wall time and some scheduled work. */
    boolean matches(List<String> header) {
        return header.contains(wallTime) && (header.contains(prefill.tokens) || header.contains(decode.requests));
    }
}
