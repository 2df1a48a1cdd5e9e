/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The TCP ports that a configuration listens on. Two of its parts cannot have the same one. */
final class ListeningPorts {
    private final List<Port> ports = new ArrayList<>();

    private record Port(String option, String host, int number) {
        boolean clashesWith(Port other) {
            return number == other.number && TcpBindSource.sameHost(host, other.host);
        }
    }

    private ListeningPorts() {}

    /**
     * Checks a configuration.
     *
     * @throws IllegalArgumentException if two parts want one port
     */
    static void requireApart(HttpSettings http, InterfaceSettings interfaces, List<PoolConfig> pools) {
        ListeningPorts all = new ListeningPorts();
        all.add("http.port", http.host(), OptionalInt.of(http.port()));
        ExternalMetricsSettings metrics = interfaces.externalMetrics();
        all.add("externalMetrics.port", metrics.host(), metrics.port());
        all.add("keda.port", interfaces.keda().host(), interfaces.keda().port());
        for (int i = 0; i < pools.size(); i++) {
            List<SourceSpec> sources = pools.get(i).sources();
            for (int j = 0; j < sources.size(); j++) {
                String option = "pools[" + i + "].sources[" + j + "] " + sources.get(j);
                if (sources.get(j) instanceof TcpBindSource bound) {
                    all.add(option, bound.host(), OptionalInt.of(bound.port()));
                } else if (sources.get(j) instanceof KvBindSource bound) {
                    all.add(option, bound.host(), OptionalInt.of(bound.port()));
                }
            }
        }
    }

    private void add(String option, String host, OptionalInt number) {
        // 0 is whatever is free.
        if (number.isEmpty() || number.getAsInt() == 0) {
            return;
        }
        Port added = new Port(option, host, number.getAsInt());
        for (Port other : ports) {
            if (added.clashesWith(other)) {
                throw new IllegalArgumentException(
                        option + " listens on port " + added.number + ", which " + other.option + " has already");
            }
        }
        ports.add(added);
    }
}
