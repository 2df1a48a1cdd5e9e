/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What engines say of their KV cache and load apart from ForwardPassMetrics: SGLang's KvMetrics and LoadStat, Dynamo's
 * ActiveLoad. About one message a second and rank, so readings are plain immutable values.
 */
@NullMarked
package io.fpmplanner.core.kv;

import org.jspecify.annotations.NullMarked;
