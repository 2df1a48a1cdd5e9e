/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/** Which generation of engines a payload is written like. Both are msgpack maps keyed by field name. */
public enum WireDialect {
    /** The first Dynamo release: neither {@code version} nor {@code counter_id}. */
    V0,
    /** Dynamo, SGLang and TensorRT-LLM since; native vLLM adds {@code timing_scope}. */
    V1
}
