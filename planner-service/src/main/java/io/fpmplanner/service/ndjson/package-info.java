/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Dynamo's export of forward-pass metrics: NDJSON over a Unix-domain socket that we listen on and it connects to.
 *
 * <p>Door: {@link io.fpmplanner.service.ndjson.NdjsonFrameSource}, with one thread for all sockets and their writers.
 */
@NullMarked
package io.fpmplanner.service.ndjson;

import org.jspecify.annotations.NullMarked;
