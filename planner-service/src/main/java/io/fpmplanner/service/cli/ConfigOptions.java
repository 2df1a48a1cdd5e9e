/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which configuration is meant; shared by the commands that need one. */
final class ConfigOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "YAML configuration file. Variables PLANNER_... and the flags below win over it.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Sets one key, e.g. --set pools[0].slo.ttftSeconds=0.5; may be repeated.")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--port", paramLabel = "PORT", description = "Short for --set http.port=PORT.")
    private @Nullable String port;

    ConfigLoader.Resolved load(Map<String, String> environment) throws ConfigException {
        List<String> all = new ArrayList<>(settings);
        if (port != null) {
            all.add("http.port=" + port);
        }
        return ConfigLoader.load(Optional.ofNullable(file), environment, all);
    }
}
