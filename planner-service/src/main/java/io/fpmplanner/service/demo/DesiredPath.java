/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import java.util.ArrayList;
import java.util.List;

/** The sizes recommended for a pool, one entry for each change; the first 1,000. Threadsafe. */
final class DesiredPath {
    private static final int CAPACITY = 1_000;

    private final List<Integer> sizes = new ArrayList<>();

    synchronized void add(int size) {
        boolean changed = sizes.isEmpty() || sizes.get(sizes.size() - 1) != size;
        if (changed && sizes.size() < CAPACITY) {
            sizes.add(size);
        }
    }

    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }
}
