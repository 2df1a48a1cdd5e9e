/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/**
 * How scalers and dashboards are answered.
 *
 * @param undecided what a scaler is told while nothing can be recommended
 * @param aliases further names under which metrics are exposed
 * @param externalMetrics the TLS listener for the Kubernetes metrics API
 * @param keda the gRPC listener for KEDA
 * @param actuate how the planner acts itself
 * @param dynamo what Dynamo is told
 */
public record InterfaceSettings(
        Undecided undecided,
        Set<AliasSet> aliases,
        ExternalMetricsSettings externalMetrics,
        KedaSettings keda,
        ActuateSettings actuate,
        DynamoSettings dynamo) {
    public InterfaceSettings {
        aliases = Set.copyOf(aliases);
    }

    /** Refusal, and no listener beyond the REST interface's. */
    public static InterfaceSettings defaults() {
        return new InterfaceSettings(
                Undecided.REFUSE,
                Set.of(),
                ExternalMetricsSettings.defaults(),
                KedaSettings.defaults(),
                ActuateSettings.defaults(),
                DynamoSettings.defaults());
    }

    /** Names of metrics that boards and autoscalers of others ask for. */
    public enum AliasSet {
        /** {@code dynamo_planner_*}, as NVIDIA Dynamo's planner exposes. */
        DYNAMO,
        /** {@code wva_*}, as llm-d's workload variant autoscaler exposes. */
        WVA,
        /** {@code vllm:deployment_replicas} below {@code /metrics/NAMESPACE/POOL}, as AIBrix's PodAutoscaler asks. */
        AIBRIX
    }

    /** What a scaler is told while nothing can be recommended. */
    public enum Undecided {
        /** An error, so that the scaler keeps what it has or uses its own fallback. */
        REFUSE,
        /** The number that an undecided recommendation holds; an error when there is none. */
        HOLD
    }
}
