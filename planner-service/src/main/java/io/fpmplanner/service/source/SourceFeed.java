/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/**
 * A source and the ring that it alone fills.
 *
 * @param source delivers frames
 * @param ring hands them over
 */
public record SourceFeed(FrameSource source, FrameRing ring) {}
