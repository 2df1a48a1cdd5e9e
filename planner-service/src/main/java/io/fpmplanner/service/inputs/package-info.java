/* SPDX-License-Identifier: Apache-2.0 */
/** What comes in, of all pools at a glance. Runs on the HTTP verticle's event loop and only reads. */
@NullMarked
package io.fpmplanner.service.inputs;

import org.jspecify.annotations.NullMarked;
