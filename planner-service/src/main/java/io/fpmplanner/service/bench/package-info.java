/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner bench}: what the planner costs end to end, measured on the machine at hand. Publishers and askers are
 * processes of their own; every row runs in a fresh JVM.
 */
@NullMarked
package io.fpmplanner.service.bench;

import org.jspecify.annotations.NullMarked;
