/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What SGLang says of KV cache and load over ZeroMQ, as a source like those of frames. Owns one thread.
 */
@NullMarked
package io.fpmplanner.service.kv;

import org.jspecify.annotations.NullMarked;
