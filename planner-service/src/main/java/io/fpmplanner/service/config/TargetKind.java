/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Arrays;
import java.util.Optional;

/** Kinds of Kubernetes objects with a {@code /scale} subresource that the planner knows. */
public enum TargetKind {
    /** Of Kubernetes itself. */
    DEPLOYMENT("Deployment", "apps/v1", "deployments", true),
    /** Of Kubernetes itself. */
    STATEFUL_SET("StatefulSet", "apps/v1", "statefulsets", true),
    /** Groups of pods that serve one model together; a replica is a group. */
    LEADER_WORKER_SET("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", "leaderworkersets", true),
    /** Stands for one service of a DynamoGraphDeployment; does not tell which replicas are ready. */
    DYNAMO_SCALING_ADAPTER(
            "DynamoGraphDeploymentScalingAdapter",
            "nvidia.com/v1alpha1",
            "dynamographdeploymentscalingadapters",
            false);

    private final String kind;
    private final String apiVersion;
    private final String plural;
    private final boolean tellsReady;

    TargetKind(String kind, String apiVersion, String plural, boolean tellsReady) {
        this.kind = kind;
        this.apiVersion = apiVersion;
        this.plural = plural;
        this.tellsReady = tellsReady;
    }

    /** As manifests have it. */
    public String kind() {
        return kind;
    }

    /** Group and version that are asked for unless configured. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Its name in paths. */
    public String plural() {
        return plural;
    }

    /** Whether {@code status.readyReplicas} is kept. */
    public boolean tellsReady() {
        return tellsReady;
    }

    static Optional<TargetKind> named(String kind) {
        return Arrays.stream(values())
                .filter(each -> each.kind.equalsIgnoreCase(kind))
                .findFirst();
    }

    /** All kinds, for messages. */
    static String names() {
        return String.join(", ", Arrays.stream(values()).map(TargetKind::kind).toList());
    }
}
