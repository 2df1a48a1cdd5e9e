/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.core.pool.PoolSettings;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One pool and where its frames come from.
 *
 * @param settings what the planner needs to know about the pool
 * @param sources where its frames come from; at least one
 * @param namespace Kubernetes namespace that its metrics are shown in; empty for every one
 * @param target what its replicas are set on; empty where others act
 * @param allowedWorkers whose frames are taken; empty for everybody's
 */
public record PoolConfig(
        PoolSettings settings,
        List<SourceSpec> sources,
        String namespace,
        Optional<ScaleTarget> target,
        List<WorkerPattern> allowedWorkers) {
    private static final Pattern NAMESPACE = Pattern.compile("([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?");

    public PoolConfig {
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "kubernetes.namespace must be a label of 1 to 63 of a-z, 0-9 and '-', was '" + namespace + "'");
        }
        allowedWorkers = List.copyOf(allowedWorkers);
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("sources must have at least one entry such as tcp://10.0.0.7:20380");
        }
    }

    /** A pool whose metrics are shown in every namespace, and which others scale. */
    public PoolConfig(PoolSettings settings, List<SourceSpec> sources) {
        this(settings, sources, "", Optional.empty(), List.of());
    }
}
