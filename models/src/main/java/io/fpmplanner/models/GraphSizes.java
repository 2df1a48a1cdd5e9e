/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;

/** The decode batch sizes an engine captured CUDA graphs for. Immutable, threadsafe. */
final class GraphSizes {
    private final int[] sizes;
    /** For each whole batch size up to the largest captured one, the index of the next captured size. */
    private final char[] indexOf;

    GraphSizes(List<Integer> ascending) {
        sizes = ascending.stream().mapToInt(Integer::intValue).toArray();
        indexOf = new char[largest() + 1];
        int index = 0;
        for (int batch = 0; batch < indexOf.length; batch++) {
            if (batch > sizes[index]) {
                index++;
            }
            indexOf[batch] = (char) index;
        }
    }

    int count() {
        return sizes.length;
    }

    int size(int index) {
        return sizes[index];
    }

    /** Index of the smallest captured size that holds the batch, or -1 if none does. */
    int index(double decodeRequests) {
        return decodeRequests > largest() ? -1 : indexOf[(int) Math.ceil(decodeRequests)];
    }

    /** The batch as the engine computes it: padded to a captured size, or as it is beyond the largest. */
    double padded(double decodeRequests) {
        int index = index(decodeRequests);
        return index < 0 ? decodeRequests : sizes[index];
    }

    private int largest() {
        return sizes.length == 0 ? -1 : sizes[sizes.length - 1];
    }
}
