/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fpmplanner.service.actuate.TargetException.Cause;
import io.fpmplanner.service.config.ScaleTarget;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads and scales objects through the API server. Blocks; one thread at a time.
 *
 * <p>An object is read as it is, for its ready replicas; it is written by its {@code /scale} subresource alone, with the
 * resource version that was read, so that a change made meanwhile by others is a conflict and never lost.
 */
final class ClusterTargets implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int REQUEST_MILLIS = 5_000;

    private final KubernetesClient client;

    ClusterTargets(KubernetesClient client) {
        this.client = client;
    }

    /**
     * A client of the cluster. Takes a second or more, since it loads the client's classes.
     *
     * @param kubeconfig how to reach it; empty for the pod's own account, or what kubectl would use
     * @throws IOException if that file cannot be read
     */
    static KubernetesClient connect(Optional<Path> kubeconfig) throws IOException {
        Config found = kubeconfig.isPresent()
                ? Config.fromKubeconfig(Files.readString(kubeconfig.get()))
                : Config.autoConfigure(null);
        // No retries inside: the planner looks again by itself, and would rather know.
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(found)
                        .withUserAgent("fpm-planner")
                        .withConnectionTimeout(CONNECT_MILLIS)
                        .withRequestTimeout(REQUEST_MILLIS)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    /** What the target says of itself. */
    TargetReading read(ScaleTarget target) throws TargetException {
        GenericKubernetesResource found;
        try {
            found = resource(target).get();
        } catch (KubernetesClientException e) {
            throw explain("get", target, e);
        }
        if (found == null) {
            throw new TargetException(Cause.NOT_FOUND, "there is no " + target + " of " + target.apiVersion());
        }
        int wanted = number(found.get("spec", "replicas"))
                .orElseThrow(() -> new TargetException(Cause.FAILED, target + " does not say how many it is to have"));
        return new TargetReading(wanted, ready(target, found, wanted));
    }

    /** Absent means 0 there, but only once a controller has written a status at all. */
    private static OptionalInt ready(ScaleTarget target, GenericKubernetesResource found, int wanted) {
        if (!target.kind().tellsReady() || !(found.get("status") instanceof Map<?, ?> status) || status.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                Math.min(wanted, number(status.get("readyReplicas")).orElse(0)));
    }

    private static OptionalInt number(@Nullable Object value) {
        return value instanceof Number number ? OptionalInt.of(number.intValue()) : OptionalInt.empty();
    }

    /**
     * Sets the replicas, if there are still those that were read.
     *
     * @throws TargetException with {@link Cause#CONFLICT} if somebody else was faster
     */
    void scale(ScaleTarget target, int from, int to) throws TargetException {
        Resource<GenericKubernetesResource> resource = resource(target);
        try {
            Scale scale = resource.scale();
            Integer now = scale.getSpec() == null ? null : scale.getSpec().getReplicas();
            if (now == null || now != from) {
                throw new TargetException(
                        Cause.CONFLICT, target + " was to have " + from + " replicas a moment ago, and now " + now);
            }
            scale.getSpec().setReplicas(to);
            resource.scale(scale);
        } catch (KubernetesClientException e) {
            throw explain("scale", target, e);
        }
    }

    private Resource<GenericKubernetesResource> resource(ScaleTarget target) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(target.group())
                        .withVersion(target.version())
                        .withKind(target.kind().kind())
                        .withPlural(target.kind().plural())
                        .withNamespaced(true)
                        .build())
                .inNamespace(target.namespace())
                .withName(target.name());
    }

    private static TargetException explain(String verb, ScaleTarget target, KubernetesClientException problem) {
        String plural = target.kind().plural();
        return switch (problem.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_FORBIDDEN ->
                new TargetException(
                        Cause.FORBIDDEN,
                        "may not " + verb + " " + target + "; the service account needs get on " + plural
                                + " and get, update on " + plural + "/scale (group " + target.group() + ") there",
                        problem);
            case HttpURLConnection.HTTP_NOT_FOUND ->
                new TargetException(
                        Cause.NOT_FOUND,
                        "there is no " + target + " of " + target.apiVersion() + " to " + verb,
                        problem);
            case HttpURLConnection.HTTP_CONFLICT ->
                new TargetException(Cause.CONFLICT, "somebody else changed " + target + " at the same time", problem);
            case 0, -1 ->
                new TargetException(
                        Cause.UNREACHABLE,
                        "the API server was not reached to " + verb + " " + target + ": " + rootCause(problem),
                        problem);
            default ->
                new TargetException(
                        Cause.FAILED,
                        "the API server answered " + problem.getCode() + " to " + verb + " " + target + ": "
                                + problem.getMessage(),
                        problem);
        };
    }

    private static String rootCause(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
