/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The page at {@code /} and what it loads: modules of its own and three libraries, read from the jar once, kept in memory
 * and answered on the HTTP verticle's event loop.
 */
@NullMarked
package io.fpmplanner.service.assets;

import org.jspecify.annotations.NullMarked;
