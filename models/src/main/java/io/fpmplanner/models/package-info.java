/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Online regression of the time one forward pass takes.
 *
 * <p>Doors: {@link io.fpmplanner.models.StepTimeModel} learns (one writer), {@link
 * io.fpmplanner.models.StepTimeSnapshot} is what everyone else reads. Nothing here does I/O, reads a clock or logs.
 */
@NullMarked
package io.fpmplanner.models;

import org.jspecify.annotations.NullMarked;
