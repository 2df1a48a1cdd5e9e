/* SPDX-License-Identifier: Apache-2.0 */
/** What-if questions and supplied workloads over REST. Handlers run on the event loop, simulations on worker threads. */
@NullMarked
package io.fpmplanner.service.whatif;

import org.jspecify.annotations.NullMarked;
