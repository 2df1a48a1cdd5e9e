/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;

/**
 * A message that was no frame.
 *
 * @param poolIndex the pool it was sent to, by order of configuration
 * @param endpoint where it came from
 * @param reason why it was rejected
 * @param field the one whose value was no good; empty if it was no single one's fault
 * @param atNanos when, nanoseconds since the Unix epoch
 * @param bytes its length
 * @param prefix its first bytes, in hexadecimal
 */
public record RejectSample(
        int poolIndex, String endpoint, RejectReason reason, String field, long atNanos, int bytes, String prefix) {}
