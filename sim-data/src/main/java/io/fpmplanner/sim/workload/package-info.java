/* SPDX-License-Identifier: Apache-2.0 */
/** What arrives at a fleet: seeded request streams with a rate that varies in time, and their lengths. */
@NullMarked
package io.fpmplanner.sim.workload;

import org.jspecify.annotations.NullMarked;
