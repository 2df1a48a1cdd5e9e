/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What passes between the planner and whoever carries its recommendations out: the replicas there are, requests that wait
 * outside, and the log of decisions.
 */
@NullMarked
package io.fpmplanner.service.scaling;

import org.jspecify.annotations.NullMarked;
