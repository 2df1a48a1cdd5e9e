/* SPDX-License-Identifier: Apache-2.0 */
/** How events are written to standard error: one line each, as key=value pairs. Standard output belongs to reports. */
@NullMarked
package io.fpmplanner.service.log;

import org.jspecify.annotations.NullMarked;
