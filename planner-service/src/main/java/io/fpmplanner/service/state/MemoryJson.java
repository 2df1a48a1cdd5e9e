/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SpeedVerdict;
import io.fpmplanner.core.scaling.ArrivalMemory;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.FleetMemory;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.service.prior.LearnedJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * {@link PlannerMemory} as JSON, to the last bit. A pool that cannot be read is left out and complained of; step times that
 * another version learned in another form are left out alone, for orders and cold starts are as true as before.
 */
final class MemoryJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private MemoryJson() {}

    static byte[] write(PlannerMemory memory) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("takenNanos", memory.takenNanos());
        ArrayNode pools = root.putArray("pools");
        memory.pools().forEach(pool -> write(pool, pools.addObject()));
        try {
            return JSON.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
        }
    }

    private static void write(PlannerMemory.OfPool pool, ObjectNode node) {
        node.put("id", pool.id())
                .put("model", pool.model())
                .put("role", pool.role().name());
        ArrayNode models = node.putArray("stepTimes");
        for (PoolMemory.ScopeMemory scope : pool.learned().models()) {
            models.addObject()
                    .put("timingScope", scope.scope())
                    .put("recent", scope.recent())
                    .set("learned", LearnedJson.write(scope.learned(), JsonNodeFactory.instance.objectNode()));
        }
        ArrayNode speeds = node.putArray("speeds");
        for (PoolMemory.SpeedMemory speed : pool.learned().speeds()) {
            speeds.addObject()
                    .put("rank", speed.rank())
                    .put("position", speed.position())
                    .put("frames", speed.frames())
                    .put("mean", speed.mean())
                    .put("spread", speed.spread())
                    .put("factor", speed.factor())
                    .put("verdict", speed.verdict().name());
        }
        FleetMemory fleet = pool.fleet();
        ObjectNode fleetNode =
                node.putObject("fleet").put("desired", fleet.desired()).put("reached", fleet.reached());
        fleet.orderedNanos().forEach(fleetNode.putArray("orderedNanos")::add);
        fleet.coldStartSeconds().forEach(fleetNode.putArray("coldStartSeconds")::add);
        fleetNode
                .putObject("regret")
                .put("times", fleet.regret().times())
                .put("sizeGivenUp", fleet.regret().sizeGivenUp())
                .put("givenUpNanos", fleet.regret().givenUpNanos())
                .put("changedNanos", fleet.regret().changedNanos());
        ArrayNode arrivals = fleetNode.putArray("arrivals");
        for (ArrivalMemory.Bins bins : fleet.arrivals().bins()) {
            arrivals.addObject()
                    .put("widthSeconds", bins.widthSeconds())
                    .put("endNanos", bins.endNanos())
                    .put("rates", bins.rates());
        }
        DecisionsJson.write(pool.decisions(), node.putArray("decisions"));
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param complaints receives a sentence for whatever is left out
     * @throws IOException if it is no such document
     */
    static PlannerMemory read(byte[] document, List<String> complaints) throws IOException {
        JsonNode root = JSON.readTree(document);
        if (!root.path("takenNanos").isIntegralNumber() || !root.path("pools").isArray()) {
            throw new IOException("is no state of a planner");
        }
        List<PlannerMemory.OfPool> pools = new ArrayList<>();
        for (JsonNode node : root.path("pools")) {
            String id = node.path("id").asText();
            try {
                List<Decision> decisions = DecisionsJson.read(id, node.path("decisions"), complaints);
                pools.add(pool(node, learned(id, node, complaints), decisions));
            } catch (IllegalArgumentException e) {
                complaints.add("what was learned of pool '" + id + "' cannot be used: " + e.getMessage());
            }
        }
        return new PlannerMemory(root.path("takenNanos").asLong(), pools);
    }

    private static PoolMemory learned(String pool, JsonNode node, List<String> complaints) {
        for (JsonNode scope : node.path("stepTimes")) {
            JsonNode learned = scope.path("learned");
            if (!LearnedJson.isOfThisVersion(learned)) {
                complaints.add("step times of pool '" + pool + "' are learned anew: they are of version "
                        + learned.path("version") + ", and this planner knows version " + LearnedStepTimes.VERSION);
                return PoolMemory.NOTHING;
            }
        }
        return new PoolMemory(
                list(
                        node.path("stepTimes"),
                        scope -> new PoolMemory.ScopeMemory(
                                scope.path("timingScope").asText(),
                                scope.path("recent").asDouble(),
                                LearnedJson.read(scope.path("learned")))),
                list(node.path("speeds"), MemoryJson::speed));
    }

    private static PlannerMemory.OfPool pool(JsonNode node, PoolMemory learned, List<Decision> decisions) {
        JsonNode fleet = node.path("fleet");
        JsonNode regret = fleet.path("regret");
        return new PlannerMemory.OfPool(
                node.path("id").asText(),
                node.path("model").asText(),
                Role.valueOf(node.path("role").asText()),
                learned,
                new FleetMemory(
                        fleet.path("desired").asInt(-1),
                        fleet.path("reached").asInt(),
                        list(fleet.path("orderedNanos"), JsonNode::asLong),
                        list(fleet.path("coldStartSeconds"), JsonNode::asDouble),
                        new FleetMemory.RegretMemory(
                                regret.path("times").asDouble(1),
                                regret.path("sizeGivenUp").asInt(),
                                regret.path("givenUpNanos").asLong(-1),
                                regret.path("changedNanos").asLong(-1)),
                        new ArrivalMemory(list(fleet.path("arrivals"), MemoryJson::bins))),
                decisions);
    }

    private static ArrivalMemory.Bins bins(JsonNode node) {
        return new ArrivalMemory.Bins(
                node.path("widthSeconds").asInt(),
                node.path("endNanos").asLong(),
                node.path("rates").asText());
    }

    private static PoolMemory.SpeedMemory speed(JsonNode node) {
        return new PoolMemory.SpeedMemory(
                node.path("rank").asText(),
                node.path("position").asLong(),
                node.path("frames").asLong(),
                node.path("mean").asDouble(),
                node.path("spread").asDouble(),
                node.path("factor").asDouble(),
                SpeedVerdict.valueOf(node.path("verdict").asText()));
    }

    private static <T> List<T> list(JsonNode array, Function<JsonNode, T> entry) {
        List<T> list = new ArrayList<>(array.size());
        array.forEach(node -> list.add(entry.apply(node)));
        return list;
    }
}
