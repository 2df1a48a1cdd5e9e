/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Other processes of this program, for drills and measurements.
 *
 * <p>Door: {@link io.fpmplanner.service.process.OwnJava}.
 */
@NullMarked
package io.fpmplanner.service.process;

import org.jspecify.annotations.NullMarked;
