/* SPDX-License-Identifier: Apache-2.0 */
/**
 * ForwardPassMetrics as an engine emits it: the schema, its msgpack encoding, and a publisher with the socket
 * behaviour of vLLM and SGLang. Usable by any Java engine; depends on JeroMQ and msgpack-core only.
 */
@NullMarked
package io.fpmplanner.sim.publish;

import org.jspecify.annotations.NullMarked;
