/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Learned step times as JSON, and the priors that come with the planner.
 *
 * <p>Doors: {@link io.fpmplanner.service.prior.LearnedJson} and {@link io.fpmplanner.service.prior.PriorLibrary}.
 */
@NullMarked
package io.fpmplanner.service.prior;

import org.jspecify.annotations.NullMarked;
