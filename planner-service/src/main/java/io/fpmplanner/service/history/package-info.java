/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What was, for people: the last six hours of each pool in bounded memory, the decisions, and a sample of steps as
 * predicted and measured. Kept and read on the HTTP verticle's event loop; only the sample of steps is filled by the
 * planner's.
 */
@NullMarked
package io.fpmplanner.service.history;

import org.jspecify.annotations.NullMarked;
