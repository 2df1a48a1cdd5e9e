/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/** Frames that are posted to the REST interface: the entry {@code http}. Each request names its pool. */
public record HttpSource() implements SourceSpec {
    @Override
    public int endpoints() {
        return 1;
    }

    @Override
    public Set<String> keys() {
        return Set.of(SourceScheme.HTTP.prefix());
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return other instanceof HttpSource;
    }

    @Override
    public boolean sharedByPools() {
        return true;
    }

    @Override
    public String toString() {
        return SourceScheme.HTTP.prefix();
    }
}
