/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.config.ExternalMetricsSettings.Clients;
import io.fpmplanner.service.config.ExternalMetricsSettings.Trust;
import io.fpmplanner.service.config.InterfaceSettings.AliasSet;
import io.fpmplanner.service.config.InterfaceSettings.Undecided;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** Makes the settings of the interfaces from a tree that was checked against the schema. */
final class InterfaceBinder {
    private final List<String> problems;

    InterfaceBinder(List<String> problems) {
        this.problems = problems;
    }

    InterfaceSettings bind(JsonNode root) {
        return new InterfaceSettings(
                ConfigBinder.choice(root.path("scalers"), "undecided", Undecided.class, Undecided.REFUSE),
                aliases(root.path("metrics").path("aliases")),
                externalMetrics(root.path("externalMetrics")),
                keda(root.path("keda")),
                actuate(root.path("actuate")),
                DynamoBinder.bind(
                        root.path("dynamo"), root.path("keda").path("port").isNumber(), problems));
    }

    private Set<AliasSet> aliases(JsonNode list) {
        Set<AliasSet> aliases = EnumSet.noneOf(AliasSet.class);
        List<String> known =
                Stream.of(AliasSet.values()).map(ConfigWriter::lower).toList();
        for (int i = 0; i < list.size(); i++) {
            String name = list.path(i).asText();
            Optional<AliasSet> set = Stream.of(AliasSet.values())
                    .filter(each -> ConfigWriter.lower(each).equals(ConfigTree.normal(name)))
                    .findFirst();
            set.ifPresent(aliases::add);
            if (set.isEmpty()) {
                problems.add("metrics.aliases[" + i + "] must be one of " + String.join(", ", known) + ", was '" + name
                        + "'" + Suggestion.forWord(name, known));
            }
        }
        return aliases;
    }

    private ExternalMetricsSettings externalMetrics(JsonNode node) {
        ExternalMetricsSettings fallback = ExternalMetricsSettings.defaults();
        return section("externalMetrics", node)
                .build(
                        fallback,
                        () -> new ExternalMetricsSettings(
                                ConfigBinder.text(node, "host", fallback.host()),
                                port(node),
                                tls(node.path("tls")),
                                clients(node.path("clients"))));
    }

    private KedaSettings keda(JsonNode node) {
        KedaSettings fallback = KedaSettings.defaults();
        return section("keda", node)
                .build(
                        fallback,
                        () -> new KedaSettings(
                                ConfigBinder.text(node, "host", fallback.host()),
                                port(node),
                                tls(node.path("tls")),
                                ConfigBinder.choice(node, "access", KedaSettings.Access.class, fallback.access())));
    }

    private ActuateSettings actuate(JsonNode node) {
        JsonNode lease = node.path("lease");
        String name = ConfigBinder.text(lease, "name", "");
        return section("actuate", node)
                .build(
                        ActuateSettings.defaults(),
                        () -> new ActuateSettings(
                                ConfigBinder.number(node, "intervalSeconds", ActuateSettings.DEFAULT_INTERVAL_SECONDS),
                                file(node, "", "kubeconfig"),
                                name.isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(new ActuateSettings.Lease(
                                                ConfigBinder.text(lease, "namespace", ""), name))));
    }

    /** What a pool's replicas are set on; empty where nothing is named. */
    Optional<ScaleTarget> target(String path, JsonNode pool) {
        JsonNode actuate = pool.path("actuate");
        JsonNode node = actuate.path("target");
        String kindName = ConfigBinder.text(node, "kind", "");
        if (kindName.isEmpty()) {
            if (node.properties().stream().anyMatch(each -> !ConfigBinder.isAbsent(each.getValue()))) {
                problems.add(path + ".actuate.target.kind is required: one of " + TargetKind.names());
            }
            return Optional.empty();
        }
        Optional<TargetKind> kind = TargetKind.named(kindName);
        if (kind.isEmpty()) {
            problems.add(
                    path + ".actuate.target.kind must be one of " + TargetKind.names() + ", was '" + kindName + "'");
            return Optional.empty();
        }
        String namespace = ConfigBinder.text(pool.path("kubernetes"), "namespace", "");
        return section(path + ".actuate.target", node)
                .build(
                        Optional.empty(),
                        () -> Optional.of(new ScaleTarget(
                                kind.get(),
                                ConfigBinder.text(node, "apiVersion", kind.get().apiVersion()),
                                ConfigBinder.text(node, "namespace", namespace),
                                ConfigBinder.text(node, "name", ""),
                                actuate.path("dryRun").asBoolean(true))));
    }

    private ConfigSection section(String path, JsonNode node) {
        return new ConfigSection(problems, path, node);
    }

    private static OptionalInt port(JsonNode node) {
        JsonNode port = node.path("port");
        if (port.isIntegralNumber() && !port.canConvertToInt()) {
            throw new IllegalArgumentException("port must lie between 0 and 65535, was " + port);
        }
        return port.isIntegralNumber() ? OptionalInt.of(port.asInt()) : OptionalInt.empty();
    }

    static Optional<TlsSettings> tls(JsonNode node) {
        double reload = ConfigBinder.number(node, "reloadSeconds", TlsSettings.DEFAULT_RELOAD_SECONDS);
        Optional<Path> certificate = file(node, "tls.", "certificateFile");
        Optional<Path> key = file(node, "tls.", "privateKeyFile");
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("tls." + (key.isPresent() ? "certificateFile" : "privateKeyFile")
                    + " is required: certificate and key belong together");
        }
        return certificate.map(path -> new TlsSettings(path, key.orElseThrow(), reload));
    }

    private Clients clients(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.path("allowedNames").forEach(name -> names.add(name.asText()));
        return new Clients(
                ConfigBinder.choice(node, "trust", Trust.class, Trust.CLUSTER),
                file(node, "clients.", "requestHeaderCaFile"),
                names,
                file(node, "clients.", "clientCaFile"));
    }

    static Optional<Path> file(JsonNode node, String section, String name) {
        String text = ConfigBinder.text(node, name, "");
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(section + name + " must be a path, was '" + text + "'", e);
        }
    }
}
