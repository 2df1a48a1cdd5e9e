/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where what was learned outlives the process.
 *
 * @param directory of the files; empty to keep nothing
 * @param intervalSeconds time between two snapshots, 1 to 3600
 */
public record StateSettings(Optional<Path> directory, double intervalSeconds) {
    public StateSettings {
        Range.check("intervalSeconds", intervalSeconds, 1, 3600);
    }

    static final double DEFAULT_INTERVAL_SECONDS = 5;

    /** Nothing is kept. */
    public static StateSettings defaults() {
        return new StateSettings(Optional.empty(), DEFAULT_INTERVAL_SECONDS);
    }

    /** Everything is kept in a directory. */
    public static StateSettings in(Path directory) {
        return new StateSettings(Optional.of(directory), DEFAULT_INTERVAL_SECONDS);
    }
}
