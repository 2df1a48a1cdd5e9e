/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running service that acts on fabric8's mock server over HTTP. */
class ActuationTest {
    private static final String APPS = "/apis/apps/v1/namespaces/llm/";
    private static final String SET = "/apis/leaderworkerset.x-k8s.io/v1/namespaces/llm/leaderworkersets/chat";
    private static final String ADAPTER =
            "/apis/nvidia.com/v1alpha1/namespaces/llm/dynamographdeploymentscalingadapters/chat-decode";

    @TempDir
    static Path directory;

    private static TestCluster cluster;
    private final List<TestPublisher> publishers = new ArrayList<>();
    private PlannerService service;
    private RestClient rest;

    @BeforeAll
    static void open() {
        cluster = new TestCluster();
    }

    @AfterAll
    static void shut() {
        cluster.close();
    }

    @AfterEach
    void stop() {
        cluster.objects().refuse(0);
        service.close();
        publishers.forEach(TestPublisher::close);
    }

    /** A service that recommends 3 replicas as soon as it recommends any. */
    private void start(String target, String more) throws Exception {
        TestPublisher publisher = new TestPublisher();
        publishers.add(publisher);
        Path config = Files.writeString(directory.resolve("planner.yaml"), """
                http: {port: 0}
                tickSeconds: 0.1
                actuate:
                  kubeconfig: %s
                  intervalSeconds: 0.1
                %s
                pools:
                  - id: chat
                    role: decode
                    kubernetes: {namespace: llm}
                    actuate: {target: %s}
                    sources: ["%s"]
                    scaling: {minReplicas: 3, maxReplicas: 3}
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                """.formatted(
                        cluster.kubeconfig(directory), more, target, publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config());
        rest = new RestClient(service.url());
    }

    private void teach() throws Exception {
        TestPublisher publisher = publishers.get(publishers.size() - 1);
        publisher.awaitSubscriber();
        for (int i = 0; i < 400; i++) {
            publisher.sendDecode("w");
        }
        rest.await(
                "/v1/pools/chat/recommendation",
                d -> d.path("evidence").asText().equals("READY"));
    }

    private JsonNode await(Predicate<JsonNode> condition) throws Exception {
        return rest.await("/v1/actuation", d -> condition.test(d.at("/targets/0")))
                .at("/targets/0");
    }

    private static boolean does(JsonNode target, String activity) {
        return target.path("activity").asText().equals(activity);
    }

    @Test
    void aDeploymentGetsTheRecommendedReplicasAndTellsWhichAreReady() throws Exception {
        cluster.objects().put(APPS + "deployments/chat", 1, 1);
        start("{kind: Deployment, name: chat}, dryRun: false", "");
        teach();

        JsonNode done =
                await(t -> does(t, "IN_AGREEMENT") && !t.path("lastChange").isNull());

        assertThat(cluster.objects().replicas(APPS + "deployments/chat")).isEqualTo(3);
        assertThat(done.at("/lastChange/from").asInt()).isEqualTo(1);
        assertThat(done.at("/lastChange/dryRun").asBoolean()).isFalse();
        assertThat(done.at("/readyReplicas").asInt()).isEqualTo(1);
        assertThat(cluster.objects().writes().peek()).contains("resourceVersion", "\"replicas\":");
        rest.await(
                "/v1/pools/chat/recommendation",
                d -> d.path("readyReplicas").asInt() == 1
                        && d.path("pendingReplicas").asInt() == 2);
        assertThat(rest.get("/metrics").body())
                .containsPattern("fpm_planner_actuations_total\\{pool=\"chat\",result=\"scaled\"} [1-9]")
                .contains("fpm_planner_actuation_leader 1.0");
    }

    @Test
    void aDryRunOnlyTells() throws Exception {
        cluster.objects().put(APPS + "statefulsets/chat", 1, 1);
        cluster.objects().writes().clear();
        start("{kind: StatefulSet, name: chat}", "");
        teach();

        JsonNode told = await(t -> does(t, "DRY_RUN"));

        assertThat(told.path("message").asText()).startsWith("would set");
        assertThat(cluster.objects().writes()).isEmpty();
        assertThat(cluster.objects().replicas(APPS + "statefulsets/chat")).isEqualTo(1);
    }

    @Test
    void leaderWorkerSetsAndDynamosAdaptersAreScaledToo() throws Exception {
        cluster.objects().put(SET, 1, 1);
        start("{kind: LeaderWorkerSet, name: chat}, dryRun: false", "");
        teach();
        await(t -> does(t, "IN_AGREEMENT"));
        assertThat(cluster.objects().replicas(SET)).isEqualTo(3);
        service.close();

        cluster.objects().put(ADAPTER, 1, 0);
        start("{kind: DynamoGraphDeploymentScalingAdapter, name: chat-decode}, dryRun: false", "");
        teach();
        JsonNode done = await(t -> does(t, "IN_AGREEMENT"));
        assertThat(cluster.objects().replicas(ADAPTER)).isEqualTo(3);
        assertThat(done.get("readyReplicas").isNull()).isTrue();
    }

    @Test
    void whatIsAskedOfTheClusterIsWhatTheRoleAllowsAndNoMore() throws Exception {
        cluster.objects().calls().clear();
        String lease = "  lease: {namespace: llm, name: not-there-yet}";
        Map<String, String> targets = Map.of(
                "Deployment",
                APPS + "deployments/chat",
                "StatefulSet",
                APPS + "statefulsets/chat",
                "LeaderWorkerSet",
                SET,
                "DynamoGraphDeploymentScalingAdapter",
                ADAPTER);
        for (Map.Entry<String, String> target : targets.entrySet()) {
            String name = target.getValue().substring(target.getValue().lastIndexOf('/') + 1);
            cluster.objects().put(target.getValue(), 1, 1);
            start("{kind: " + target.getKey() + ", name: " + name + "}, dryRun: false", lease);
            teach();
            await(t -> does(t, "IN_AGREEMENT"));
            service.close();
        }

        assertThat(ScalerRole.asked(cluster.objects().calls())).isEqualTo(ScalerRole.allowed());
    }

    @Test
    void aConflictIsTriedAgainAndAForeignChangeIsGivenWayTo() throws Exception {
        String path = APPS + "deployments/contested";
        cluster.objects().put(path, 1, 1);
        cluster.objects().conflictOnce();
        start("{kind: Deployment, name: contested}, dryRun: false", "");
        teach();
        await(t -> does(t, "IN_AGREEMENT"));
        assertThat(rest.get("/metrics").body())
                .contains("fpm_planner_actuation_failures_total{cause=\"conflict\",pool=\"chat\"} 1.0");

        cluster.objects().put(path, 1, 1);
        JsonNode held = await(t -> does(t, "CONTESTED"));

        assertThat(held.path("message").asText()).contains("HPA");
        assertThat(cluster.objects().replicas(path)).isEqualTo(1);
        assertThat(rest.get("/metrics").body()).contains("fpm_planner_actuation_contested_total{pool=\"chat\"} 1.0");
    }

    @Test
    void whatIsMissingOrForbiddenIsSaidWithAdvice() throws Exception {
        start("{kind: Deployment, name: absent}, dryRun: false", "");
        JsonNode missing = await(t -> does(t, "BACKING_OFF"));
        assertThat(missing.path("message").asText()).isEqualTo("there is no Deployment llm/absent of apps/v1");

        cluster.objects().refuse(403);
        JsonNode refused = await(t -> t.path("message").asText().contains("may not"));

        assertThat(refused.path("message").asText()).contains("deployments/scale (group apps)");
        assertThat(refused.path("failures").asInt()).isGreaterThan(1);
        assertThat(refused.path("retryAt").isNull()).isFalse();
        assertThat(rest.get("/metrics").body())
                .containsPattern("fpm_planner_actuation_failures_total\\{cause=\"forbidden\",pool=\"chat\"} [1-9]");
    }

    @Test
    void ofSeveralPlannersTheOneWithTheLeaseActs() throws Exception {
        String path = APPS + "deployments/elected";
        cluster.objects().put(path, 1, 1);
        String lease = "  lease: {namespace: llm, name: fpm-planner}";
        start("{kind: Deployment, name: elected}, dryRun: false", lease);
        rest.await("/v1/actuation", d -> d.path("leads").asBoolean());
        PlannerService first = service;
        try {
            start("{kind: Deployment, name: elected}, dryRun: false", lease);
            teach();
            await(t -> does(t, "NOT_LEADER"));
            assertThat(cluster.objects().replicas(path)).isEqualTo(1);
            assertThat(rest.json("/v1/actuation").get("leads").asBoolean()).isFalse();
        } finally {
            first.close();
        }

        // The lease is given back at the end, so that the other need not wait for its expiry.
        rest.await("/v1/actuation", d -> d.path("leads").asBoolean());
        await(t -> does(t, "IN_AGREEMENT"));
        assertThat(cluster.objects().replicas(path)).isEqualTo(3);
    }
}
