/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.SourceSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A configured entry and the pool that it belongs to.
 *
 * @param poolIndex the pool, by order of configuration
 * @param spec the entry
 * @param <S> its kind
 */
public record PoolSource<S extends SourceSpec>(int poolIndex, S spec) {
    /** All entries of one kind, across the pools. */
    public static <S extends SourceSpec> List<PoolSource<S>> of(List<PoolConfig> pools, Class<S> kind) {
        List<PoolSource<S>> found = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            for (SourceSpec spec : pools.get(i).sources()) {
                if (kind.isInstance(spec)) {
                    found.add(new PoolSource<>(i, kind.cast(spec)));
                }
            }
        }
        return List.copyOf(found);
    }
}
