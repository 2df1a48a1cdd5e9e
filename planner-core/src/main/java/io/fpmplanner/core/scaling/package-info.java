/* SPDX-License-Identifier: Apache-2.0 */
/** Recommendations: how many replicas a pool needs, and why. */
@NullMarked
package io.fpmplanner.core.scaling;

import org.jspecify.annotations.NullMarked;
