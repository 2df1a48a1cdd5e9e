/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The REST interface. Everything here runs on the HTTP verticle's event loop and only reads: the newest plan from the
 * board, and the counters of the sources. Nothing blocks and nothing is handed to the planner's loop.
 */
@NullMarked
package io.fpmplanner.service.http;

import org.jspecify.annotations.NullMarked;
