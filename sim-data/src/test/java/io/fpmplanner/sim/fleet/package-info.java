/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.fpmplanner.sim.fleet;

import org.jspecify.annotations.NullMarked;
