/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import java.nio.file.InvalidPathException;
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

    /**
     * The options of a command that has no others, read without picocli: describing and parsing a command costs a tenth
     * of a second at every start. Empty for whatever is not plain, of which picocli has more to say.
     */
    static Optional<ConfigOptions> plain(List<String> arguments) {
        ConfigOptions options = new ConfigOptions();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String value =
                    equals >= 0 ? argument.substring(equals + 1) : i + 1 < arguments.size() ? arguments.get(++i) : "";
            boolean taken =
                    !value.isEmpty() && !value.startsWith("-") && !value.startsWith("@") && options.take(name, value);
            if (!taken) {
                return Optional.empty();
            }
        }
        return Optional.of(options);
    }

    private boolean take(String name, String value) {
        if (name.equals("--set")) {
            return settings.add(value);
        }
        if (name.equals("--port") && port == null) {
            port = value;
            return true;
        }
        if ((name.equals("--config") || name.equals("-c")) && file == null) {
            try {
                file = Path.of(value);
                return true;
            } catch (InvalidPathException e) {
                return false; // picocli says what is wrong with it
            }
        }
        return false;
    }

    ConfigLoader.Resolved load(Map<String, String> environment) throws ConfigException {
        List<String> all = new ArrayList<>(settings);
        if (port != null) {
            all.add("http.port=" + port);
        }
        return ConfigLoader.load(Optional.ofNullable(file), environment, all);
    }
}
