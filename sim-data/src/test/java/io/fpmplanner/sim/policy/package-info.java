/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.fpmplanner.sim.policy;

import org.jspecify.annotations.NullMarked;
