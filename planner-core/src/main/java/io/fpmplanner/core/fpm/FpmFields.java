/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/**
 * Names of ForwardPassMetrics fields on the wire, in the declaration order of the producers, and the places of their
 * values in an {@link FpmFrame}: counts and real numbers are numbered apart.
 *
 * <p>Sources: Dynamo {@code common/forward_pass_metrics.py}, SGLang's and vLLM's schema of the same name. All encode
 * structs as maps, whatever the SGLang docstring says about positions. vLLM adds {@code timing_scope} without raising
 * the version; version 0 lacks {@code version} and {@code counter_id}. The four names with {@code prefix_cached} are
 * planned for TensorRT-LLM and stand in an early form of Dynamo's schema.
 */
final class FpmFields {
    static final int NONE = -1;

    static final int SCHEDULED_PREFILL_REQUESTS = 0;
    static final int SCHEDULED_PREFILL_TOKENS = 1;
    static final int SCHEDULED_PREFILL_KV_TOKENS = 2;
    static final int SCHEDULED_DECODE_REQUESTS = 3;
    static final int SCHEDULED_DECODE_KV_TOKENS = 4;
    static final int QUEUED_PREFILL_REQUESTS = 5;
    static final int QUEUED_PREFILL_TOKENS = 6;
    static final int QUEUED_DECODE_REQUESTS = 7;
    static final int QUEUED_DECODE_KV_TOKENS = 8;
    /** Counts below this say what was scheduled or queued: all 0 in a heartbeat. */
    static final int WORK_COUNTS = 9;

    static final int COUNTER_ID = 9;
    static final int PREFIX_CACHED_PREFILL_TOKENS = 10;
    static final int PREFIX_CACHED_DECODE_KV_TOKENS = 11;
    static final int COUNTS = 12;

    static final int SCHEDULED_PREFILL_LENGTH_VARIANCE = 0;
    static final int SCHEDULED_DECODE_KV_VARIANCE = 1;
    static final int QUEUED_PREFILL_LENGTH_VARIANCE = 2;
    static final int QUEUED_DECODE_KV_VARIANCE = 3;
    static final int UNCACHED_PREFILL_LENGTH_VARIANCE = 4;
    static final int PREFIX_CACHED_DECODE_KV_VARIANCE = 5;
    /** Real numbers below this are variances. */
    static final int VARIANCES = 6;

    static final int WALL_TIME = 6;
    static final int REALS = 7;

    static final KeyTable TOP = new KeyTable(
            new WireKey("version", WireKind.VERSION, NONE),
            new WireKey("worker_id", WireKind.WORKER_ID, NONE),
            new WireKey("dp_rank", WireKind.DP_RANK, NONE),
            new WireKey("counter_id", WireKind.COUNT, COUNTER_ID),
            new WireKey("timing_scope", WireKind.TIMING_SCOPE, NONE),
            new WireKey("wall_time", WireKind.REAL, WALL_TIME),
            new WireKey("scheduled_requests", WireKind.SCHEDULED, NONE),
            new WireKey("queued_requests", WireKind.QUEUED, NONE));

    static final KeyTable SCHEDULED = new KeyTable(
            new WireKey("num_prefill_requests", WireKind.COUNT, SCHEDULED_PREFILL_REQUESTS),
            new WireKey("sum_prefill_tokens", WireKind.COUNT, SCHEDULED_PREFILL_TOKENS),
            new WireKey("var_prefill_length", WireKind.REAL, SCHEDULED_PREFILL_LENGTH_VARIANCE),
            new WireKey("sum_prefill_kv_tokens", WireKind.COUNT, SCHEDULED_PREFILL_KV_TOKENS),
            new WireKey("num_decode_requests", WireKind.COUNT, SCHEDULED_DECODE_REQUESTS),
            new WireKey("sum_decode_kv_tokens", WireKind.COUNT, SCHEDULED_DECODE_KV_TOKENS),
            new WireKey("var_decode_kv_tokens", WireKind.REAL, SCHEDULED_DECODE_KV_VARIANCE),
            new WireKey("sum_prefill_tokens_prefix_cached", WireKind.COUNT, PREFIX_CACHED_PREFILL_TOKENS),
            new WireKey("var_non_prefix_cached_prefill_length", WireKind.REAL, UNCACHED_PREFILL_LENGTH_VARIANCE),
            new WireKey("sum_decode_kv_tokens_prefix_cached", WireKind.COUNT, PREFIX_CACHED_DECODE_KV_TOKENS),
            new WireKey("var_decode_kv_tokens_prefix_cached", WireKind.REAL, PREFIX_CACHED_DECODE_KV_VARIANCE));

    static final KeyTable QUEUED = new KeyTable(
            new WireKey("num_prefill_requests", WireKind.COUNT, QUEUED_PREFILL_REQUESTS),
            new WireKey("sum_prefill_tokens", WireKind.COUNT, QUEUED_PREFILL_TOKENS),
            new WireKey("var_prefill_length", WireKind.REAL, QUEUED_PREFILL_LENGTH_VARIANCE),
            new WireKey("num_decode_requests", WireKind.COUNT, QUEUED_DECODE_REQUESTS),
            new WireKey("sum_decode_kv_tokens", WireKind.COUNT, QUEUED_DECODE_KV_TOKENS),
            new WireKey("var_decode_kv_tokens", WireKind.REAL, QUEUED_DECODE_KV_VARIANCE));

    private FpmFields() {}
}
