/* SPDX-License-Identifier: Apache-2.0 */
/** ForwardPassMetrics on the wire: the reusable {@link io.fpmplanner.core.fpm.FpmFrame} and its decoder. Owned by whichever thread receives. */
@NullMarked
package io.fpmplanner.core.fpm;

import org.jspecify.annotations.NullMarked;
