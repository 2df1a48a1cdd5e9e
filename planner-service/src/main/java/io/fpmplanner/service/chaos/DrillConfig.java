/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Configurations that drills make themselves. */
final class DrillConfig {
    private DrillConfig() {}

    /** Of these settings, each as {@code --set} takes it. */
    static ServiceConfig of(List<String> settings) {
        try {
            return ConfigLoader.load(Optional.empty(), Map.of(), settings).config();
        } catch (ConfigException e) {
            throw new IllegalStateException("the drill's own configuration is refused: " + e.problems(), e);
        }
    }
}
