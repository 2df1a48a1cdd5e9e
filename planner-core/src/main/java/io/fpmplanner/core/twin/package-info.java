/* SPDX-License-Identifier: Apache-2.0 */
/** The fleet twin: what latency would be with other traffic or another fleet. Pure functions over snapshots; any thread. */
@NullMarked
package io.fpmplanner.core.twin;

import org.jspecify.annotations.NullMarked;
