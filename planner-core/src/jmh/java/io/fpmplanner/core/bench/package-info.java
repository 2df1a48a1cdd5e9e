/* SPDX-License-Identifier: Apache-2.0 */
/** What a frame costs from bytes to model, in JMH. Not part of a build. */
package io.fpmplanner.core.bench;
