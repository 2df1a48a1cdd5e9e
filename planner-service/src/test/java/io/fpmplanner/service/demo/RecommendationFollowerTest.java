/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.LiveFleet;
import io.fpmplanner.sim.fleet.PoolState;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RecommendationFollowerTest {
    private static final String POOL = DemoScenario.AGGREGATED;

    private final AtomicLong clock = new AtomicLong();
    private volatile String answer = "{}";
    private volatile int status = 200;
    private HttpServer planner;
    private LiveFleet fleet;
    private RecommendationFollower follower;

    @BeforeEach
    void start() throws Exception {
        planner = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        planner.createContext("/", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        planner.start();
        fleet = new LiveFleet(
                new Fleet(DemoScenario.fleet(0, 1), RecommendationFollowerTest::silent, new FleetListener() {}),
                clock::get);
        PlannerClient client = new PlannerClient(
                URI.create("http://127.0.0.1:" + planner.getAddress().getPort() + "/"));
        follower = new RecommendationFollower(client, fleet, new PredictionProbe(client));
    }

    @AfterEach
    void stop() {
        fleet.close();
        planner.stop(0);
    }

    @Test
    void a_decision_is_followed() {
        recommend("UNDER_PROVISIONED", "3", "2999-01-01T00:00:00Z");

        awaitPool(pool -> pool.pending() == 2);
    }

    @Test
    void nothing_but_a_valid_decision_changes_the_fleet() {
        recommend("UNDER_PROVISIONED", "3", "2999-01-01T00:00:00Z");
        awaitPool(pool -> pool.pending() == 2);
        clock.set((long) (2e9 * DemoScenario.COLD_START_SECONDS));
        awaitPool(pool -> pool.ready() == 3);

        recommend("UNDECIDED", "1", "2999-01-01T00:00:00Z");
        recommend("OVER_PROVISIONED", "null", "2999-01-01T00:00:00Z");
        recommend("OVER_PROVISIONED", "1", "2001-01-01T00:00:00Z");
        recommend("OVER_PROVISIONED", "1", "soon");
        status = 503;
        recommend("OVER_PROVISIONED", "1", "2999-01-01T00:00:00Z");

        // Had one of those got through, two replicas would be gone and three pending after the next.
        status = 200;
        recommend("UNDER_PROVISIONED", "4", "2999-01-01T00:00:00Z");
        awaitPool(pool -> pool.ready() == 3 && pool.pending() == 1);
        assertThat(follower.path(POOL))
                .hasValueSatisfying(path -> assertThat(path.sizes()).containsExactly(3, 4));
    }

    private void recommend(String verdict, String desired, String validUntil) {
        answer = "{\"status\":\"" + verdict + "\",\"desiredReplicas\":" + desired + ",\"evidence\":\"READY\","
                + "\"validUntil\":\"" + validUntil + "\"}";
        follower.poll(List.of(POOL));
    }

    private void awaitPool(Predicate<PoolState> condition) {
        while (!condition.test(fleet.state().get(0))) {
            Thread.onSpinWait();
        }
    }

    private static StepChannel silent(String poolId, int slot, RankIdentity identity, long nowNanos) {
        return new StepChannel() {
            @Override
            public void publish(ForwardPassMetrics metrics, long endNanos) {}

            @Override
            public void close() {}
        };
    }
}
