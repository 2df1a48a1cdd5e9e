/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What scalers are told of a pool: a figure, or why there is none. Shared by every interface that a scaler can ask, so that
 * all of them say the same.
 */
@NullMarked
package io.fpmplanner.service.scaler;

import org.jspecify.annotations.NullMarked;
