/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.sim.fleet.LiveFleet;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An autoscaler in miniature: reads recommendations over HTTP and orders what they say. It also tells the
 * planner what requests saw, as a gateway would.
 *
 * <p>{@link #poll} belongs to one thread; what it saw may be read from any.
 */
final class RecommendationFollower {
    private final PlannerClient planner;
    private final LiveFleet fleet;
    private final PredictionProbe probe;
    private final Map<String, JsonNode> latest = new ConcurrentHashMap<>();
    private final Map<String, DesiredPath> paths = new ConcurrentHashMap<>();

    RecommendationFollower(PlannerClient planner, LiveFleet fleet, PredictionProbe probe) {
        this.planner = planner;
        this.fleet = fleet;
        this.probe = probe;
    }

    /** Asks once for each pool and acts on the answers. */
    void poll(List<String> poolIds) {
        for (String poolId : poolIds) {
            planner.recommendation(poolId).join().ifPresent(document -> follow(poolId, document));
            List<Observations.Observation> seen = probe.observations().take(poolId);
            if (!seen.isEmpty()) {
                planner.observe(poolId, seen).join();
            }
        }
    }

    private void follow(String poolId, JsonNode document) {
        latest.put(poolId, document);
        if (!paths.containsKey(poolId) && document.path("evidence").asText().equals("READY")) {
            paths.put(poolId, new DesiredPath());
            probe.startCounting(poolId);
            fleet.measureFromNow(poolId);
        }
        // Without a decision, or with one that is out of date, the fleet stays as it is: unknown is never fewer.
        JsonNode desired = document.path("desiredReplicas");
        if (!desired.isInt() || document.path("status").asText().equals("UNDECIDED") || isOver(document)) {
            return;
        }
        fleet.scaleTo(poolId, desired.asInt());
        DesiredPath path = paths.get(poolId);
        if (path != null) {
            path.add(desired.asInt());
        }
    }

    private static boolean isOver(JsonNode document) {
        try {
            return Instant.parse(document.path("validUntil").asText()).isBefore(Instant.now());
        } catch (DateTimeParseException e) {
            return true;
        }
    }

    /** The newest recommendation for a pool. */
    Optional<JsonNode> latest(String poolId) {
        return Optional.ofNullable(latest.get(poolId));
    }

    /** The sizes recommended since the pool's model was READY; empty before. */
    Optional<DesiredPath> path(String poolId) {
        return Optional.ofNullable(paths.get(poolId));
    }
}
