/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.access.AccessFiles;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ConfigWriter;
import io.fpmplanner.service.config.InterfaceSettings;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.state.StateKeeper;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the configuration in force, or everything that is wrong with it. */
@Command(
        name = "check-config",
        description = "Checks the configuration and prints what is in force, defaults included.",
        mixinStandardHelpOptions = true)
final class CheckConfigCommand implements Callable<Integer> {
    private static final int NAMED_POOLS = 5;

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--json",
            description = "Print one JSON document: {\"valid\", \"config\" or \"problems\", \"warnings\"}.")
    private boolean json;

    @Option(
            names = "--without-files",
            description =
                    "Leave certificates, keys, tokens and the state directory alone: for a configuration of another machine.")
    private boolean withoutFiles;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private static List<String> unusable(ServiceConfig config) {
        List<String> problems = new ArrayList<>(AccessFiles.problems(config));
        StateKeeper.unusable(config.state()).ifPresent(problems::add);
        return problems;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            ConfigLoader.Resolved resolved = options.load(System.getenv());
            List<String> unusable = withoutFiles ? List.of() : unusable(resolved.config());
            if (!unusable.isEmpty()) {
                throw new ConfigException(unusable, resolved.warnings());
            }
            resolved.warnings().forEach(warning -> err.println("warning: " + warning));
            if (json) {
                out.println(document(true, resolved.warnings())
                        .set("config", ConfigWriter.tree(resolved.config()))
                        .toPrettyString());
            } else {
                out.print(ConfigWriter.yaml(resolved.config()));
            }
            out.flush();
            // Apart from the document, so that it can be kept as a file.
            err.println("OK: " + summary(resolved.config()));
            return 0;
        } catch (ConfigException e) {
            if (json) {
                ObjectNode document = document(false, e.warnings());
                ArrayNode problems = document.putArray("problems");
                e.problems().forEach(problems::add);
                out.println(document.toPrettyString());
                out.flush();
            } else {
                e.warnings().forEach(warning -> err.println("warning: " + warning));
                e.problems().forEach(problem -> err.println("config: " + problem));
            }
            return Main.BAD_INPUT;
        }
    }

    /** What would be served, in one line. */
    static String summary(ServiceConfig config) {
        List<String> parts = new ArrayList<>();
        List<String> pools = config.pools().stream()
                .map(pool -> pool.settings().id() + " ("
                        + pool.settings().role().name().toLowerCase(Locale.ROOT) + ")")
                .toList();
        parts.add(counted(pools.size(), "pool") + ": "
                + String.join(", ", pools.subList(0, Math.min(NAMED_POOLS, pools.size())))
                + (pools.size() > NAMED_POOLS ? ", ..." : ""));
        parts.add("REST at " + (config.http().access().tls().isPresent() ? "https://" : "http://")
                + config.http().host() + ":" + config.http().port());
        InterfaceSettings interfaces = config.interfaces();
        interfaces
                .externalMetrics()
                .port()
                .ifPresent(port -> parts.add("external metrics at https://"
                        + interfaces.externalMetrics().host() + ":" + port));
        interfaces
                .keda()
                .port()
                .ifPresent(port -> parts.add("gRPC at " + interfaces.keda().host() + ":" + port));
        long targets = config.pools().stream()
                .filter(pool -> pool.target().isPresent())
                .count();
        if (targets > 0) {
            parts.add("acts on " + counted(targets, "target"));
        }
        parts.add(config.state().directory().map(at -> "state in " + at).orElse("no state kept"));
        return String.join("; ", parts);
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static ObjectNode document(boolean valid, List<String> warnings) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("valid", valid);
        ArrayNode list = document.putArray("warnings");
        warnings.forEach(list::add);
        return document;
    }
}
