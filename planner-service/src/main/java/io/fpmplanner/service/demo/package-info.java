/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code planner demo}: simulated engines, a load that rises and falls, the real service beside them, and an autoscaler that
 * follows its recommendations over HTTP. Also the live page that every running service shows under {@code /}.
 */
@NullMarked
package io.fpmplanner.service.demo;

import org.jspecify.annotations.NullMarked;
