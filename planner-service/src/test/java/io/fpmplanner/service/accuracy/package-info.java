/* SPDX-License-Identifier: Apache-2.0 */
/** How well latency and workload are told, against simulated engines whose step law the learner has not seen. */
@NullMarked
package io.fpmplanner.service.accuracy;

import org.jspecify.annotations.NullMarked;
