/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.config.ExternalMetricsSettings.Clients;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes the settings of the interfaces with all their keys. */
final class InterfaceWriter {
    private InterfaceWriter() {}

    static void write(ObjectNode root, InterfaceSettings interfaces) {
        root.putObject("scalers").put("undecided", ConfigWriter.lower(interfaces.undecided()));
        ArrayNode aliases = root.putObject("metrics").putArray("aliases");
        interfaces.aliases().stream().sorted().map(ConfigWriter::lower).forEach(aliases::add);
        externalMetrics(root.putObject("externalMetrics"), interfaces.externalMetrics());
        ObjectNode keda = root.putObject("keda").put("host", interfaces.keda().host());
        port(keda, interfaces.keda().port());
        tls(keda, interfaces.keda().tls());
        keda.put("access", ConfigWriter.lower(interfaces.keda().access()));
        actuate(root.putObject("actuate"), interfaces.actuate());
        DynamoBinder.write(root.putObject("dynamo"), interfaces.dynamo());
    }

    private static void actuate(ObjectNode node, ActuateSettings settings) {
        node.put("intervalSeconds", settings.intervalSeconds());
        file(node, "kubeconfig", settings.kubeconfig());
        node.putObject("lease")
                .put(
                        "namespace",
                        settings.lease().map(ActuateSettings.Lease::namespace).orElse(null))
                .put("name", settings.lease().map(ActuateSettings.Lease::name).orElse(null));
    }

    static void target(ObjectNode pool, Optional<ScaleTarget> target) {
        ObjectNode actuate = pool.putObject("actuate");
        actuate.put("dryRun", target.map(ScaleTarget::dryRun).orElse(true));
        actuate.putObject("target")
                .put("kind", target.map(each -> each.kind().kind()).orElse(null))
                .put("apiVersion", target.map(ScaleTarget::apiVersion).orElse(null))
                .put("namespace", target.map(ScaleTarget::namespace).orElse(null))
                .put("name", target.map(ScaleTarget::name).orElse(null));
    }

    private static void externalMetrics(ObjectNode node, ExternalMetricsSettings settings) {
        node.put("host", settings.host());
        port(node, settings.port());
        tls(node, settings.tls());
        Clients clients = settings.clients();
        ObjectNode asked = node.putObject("clients").put("trust", ConfigWriter.lower(clients.trust()));
        file(asked, "requestHeaderCaFile", clients.requestHeaderCaFile());
        ArrayNode names = asked.putArray("allowedNames");
        clients.allowedNames().forEach(names::add);
        file(asked, "clientCaFile", clients.clientCaFile());
    }

    static void tls(ObjectNode node, Optional<TlsSettings> settings) {
        ObjectNode tls = node.putObject("tls");
        file(tls, "certificateFile", settings.map(TlsSettings::certificateFile));
        file(tls, "privateKeyFile", settings.map(TlsSettings::privateKeyFile));
        tls.put("reloadSeconds", settings.map(TlsSettings::reloadSeconds).orElse(TlsSettings.DEFAULT_RELOAD_SECONDS));
    }

    private static void port(ObjectNode node, OptionalInt port) {
        if (port.isPresent()) {
            node.put("port", port.getAsInt());
        } else {
            node.putNull("port");
        }
    }

    static void file(ObjectNode node, String name, Optional<Path> file) {
        node.put(name, file.map(Path::toString).orElse(null));
    }
}
