/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code /metrics} exposes. Values of pools are read from the newest plan at each scrape, so that what is not known
 * is absent; timings and the JVM's own metrics go through Micrometer.
 */
@NullMarked
package io.fpmplanner.service.metrics;

import org.jspecify.annotations.NullMarked;
