/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.pool.SuppliedTraffic;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolPlanning;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.RecommendationJson;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One conversation: each line moves the caller's clock on, and is answered by what is recommended then. A line that is
 * wrong changes nothing and is answered by an error. Not threadsafe.
 */
final class StepSession {
    /** Latest time, seconds: what fits in nanoseconds. */
    static final double MOST_SECONDS = 9e9;

    /* A traffic report counts until the next one is three times overdue. */
    private static final double REPORT_LIFETIME = 3;
    private static final Set<String> MEMBERS = new LinkedHashSet<>(
            List.of("timeSeconds", "pools", "gpuBudgets", "frames", "fleet", "traffic", "queue", "forecast", "engine"));
    private static final Set<String> FLEET = new LinkedHashSet<>(List.of("ready", "pending", "desired"));
    private static final Set<String> QUEUE = new LinkedHashSet<>(List.of("requests"));
    private static final Set<String> FORECAST = new LinkedHashSet<>(List.of("points"));
    private static final Set<String> POINT = new LinkedHashSet<>(List.of("timeSeconds", "requestsPerSecond"));
    private static final Set<String> TRAFFIC =
            new LinkedHashSet<>(List.of("seconds", "requests", "inputTokens", "outputTokens", "cachedShare"));
    private static final Set<String> ENGINE =
            new LinkedHashSet<>(List.of("maxBatchedTokens", "maxSequences", "kvCapacityTokens"));
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final LivenessSettings PATIENT = new LivenessSettings(16, 60);

    private @Nullable Loop loop;

    /**
     * A session over the given pools.
     *
     * @param planning empty if the first line shall name the pools
     */
    StepSession(Optional<PoolPlanning> planning) {
        this.loop = planning.map(Loop::new).orElse(null);
    }

    /** Answers one line; never throws. */
    ObjectNode answer(String line) {
        try {
            return answer(parse(line));
        } catch (StepException e) {
            return refusal(e.field(), e.text());
        } catch (IllegalArgumentException e) {
            // Values that are fine one by one and make none together, such as a rate of too many requests in too little
            // time.
            return refusal("", String.valueOf(e.getMessage()));
        }
    }

    private static ObjectNode refusal(String field, String detail) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("error").put("field", field).put("detail", detail);
        return answer;
    }

    private static JsonNode parse(String line) throws StepException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new StepException("", "not JSON: " + JsonBody.explain(e));
        }
    }

    private ObjectNode answer(JsonNode line) throws StepException {
        StepFields.onlyKnown(line, "", MEMBERS);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (line.has("pools")) {
            if (loop != null) {
                throw new StepException("pools", "pools were given before; they cannot change");
            }
            Loop made = new Loop(planning(line));
            if (line.has("timeSeconds")) {
                made.step(line, answer);
            } else {
                ArrayNode names = answer.putArray("pools");
                made.pools.settings().forEach(pool -> names.add(pool.id()));
            }
            loop = made;
            return answer;
        }
        if (line.has("gpuBudgets")) {
            throw new StepException("gpuBudgets", "gpuBudgets belong to the line that gives pools; they cannot change");
        }
        if (loop == null) {
            throw new StepException("pools", "the first line must give pools, as in planner.yaml");
        }
        loop.step(line, answer);
        return answer;
    }

    private static PoolPlanning planning(JsonNode line) throws StepException {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.set("pools", line.get("pools"));
        if (line.has("gpuBudgets")) {
            root.set("gpuBudgets", line.get("gpuBudgets"));
        }
        try {
            PoolPlanning planning = ConfigLoader.pools(root);
            return new PoolPlanning(patient(planning.pools(), line.get("pools")), planning.gpuBudgets());
        } catch (ConfigException e) {
            boolean ofBudgets = e.problems().stream().allMatch(problem -> problem.startsWith("gpuBudgets"));
            throw new StepException(ofBudgets ? "gpuBudgets" : "pools", String.join("; ", e.problems()));
        }
    }

    /** Whoever polls does not hear of each rank each second: without a word on liveness, silence counts later than usual. */
    private static List<PoolSettings> patient(List<PoolSettings> pools, JsonNode given) {
        List<PoolSettings> patient = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            boolean said = given.path(i).hasNonNull("liveness");
            patient.add(said ? pools.get(i) : pools.get(i).withLiveness(PATIENT));
        }
        return patient;
    }

    /** The planner and the caller's clock. */
    private static final class Loop {
        private final StepPools pools;
        private final Planner planner;
        private final StepFrames frames;
        private long lastNanos = -1;
        private long refused;

        Loop(PoolPlanning planning) {
            this.pools = new StepPools(planning.pools());
            this.planner = new Planner(planning.pools(), planning.gpuBudgets(), pool -> StepListener.NONE);
            this.frames = new StepFrames(pools, planner);
        }

        void step(JsonNode line, ObjectNode answer) throws StepException {
            double seconds = StepFields.required(line, "", "timeSeconds", 0);
            long nowNanos = (long) (Math.min(seconds, MOST_SECONDS) * 1e9);
            if (seconds > MOST_SECONDS || nowNanos < lastNanos) {
                throw new StepException(
                        "timeSeconds",
                        "timeSeconds must not go back and be at most " + (long) MOST_SECONDS + ", was " + seconds);
            }
            // Everything is read before anything is done: a line that is wrong somewhere changes nothing.
            StepFrames.Batch batch = frames.read(line.path("frames"), nowNanos);
            List<Runnable> changes = new ArrayList<>();
            fleet(line.path("fleet"), changes);
            traffic(line.path("traffic"), nowNanos, changes);
            queue(line.path("queue"), changes);
            forecast(line.path("forecast"), changes);
            engine(line.path("engine"), changes);
            changes.forEach(Runnable::run);
            answer.put("timeSeconds", seconds);
            frames.deliver(batch, lastNanos < 0 ? nowNanos : lastNanos, nowNanos, answer);
            lastNanos = nowNanos;
            PlanView plan = planner.tick(nowNanos);
            countRefused(plan, answer);
            recommendations(plan, answer);
        }

        /** Frames of ranks beyond the caps were none that anything is known from. */
        private void countRefused(PlanView plan, ObjectNode answer) {
            long all = plan.pools().stream()
                    .mapToLong(pool -> pool.pool().doubts().ranksRefused()
                            + pool.pool().doubts().scopesRefused())
                    .sum();
            long now = all - refused;
            refused = all;
            if (answer.get("frames") instanceof ObjectNode counts) {
                counts.put("accepted", Math.max(0, counts.path("accepted").asLong() - now))
                        .put("beyondCaps", now);
            }
        }

        private static void recommendations(PlanView plan, ObjectNode answer) {
            ArrayNode list = answer.putArray("recommendations");
            for (PoolPlan pool : plan.pools()) {
                ObjectNode document = RecommendationJson.write(pool, 0);
                document.put("decidedAtSeconds", pool.recommendation().decidedAtNanos() / 1e9);
                document.put("validUntilSeconds", pool.recommendation().validUntilNanos() / 1e9);
                list.add(document);
            }
        }

        private interface PoolReader {
            void read(int pool, String path, JsonNode value) throws StepException;
        }

        /** Reads a member that holds one object for each pool, or one object that goes for all of them. */
        private void eachPool(JsonNode member, String name, Set<String> known, PoolReader reader) throws StepException {
            if (member.isMissingNode() || member.isNull()) {
                return;
            }
            if (!member.isObject()) {
                throw new StepException(name, name + " must be an object with a member for each pool");
            }
            if (known.stream().anyMatch(member::has)) {
                StepFields.onlyKnown(member, name, known);
                for (int pool = 0; pool < pools.settings().size(); pool++) {
                    reader.read(pool, name, member);
                }
                return;
            }
            for (Map.Entry<String, JsonNode> entry : member.properties()) {
                String path = name + "." + entry.getKey();
                StepFields.onlyKnown(entry.getValue(), path, known);
                reader.read(pools.index(entry.getKey(), path), path, entry.getValue());
            }
        }

        private void fleet(JsonNode member, List<Runnable> changes) throws StepException {
            eachPool(member, "fleet", FLEET, (pool, path, value) -> {
                SuppliedFleet fleet = new SuppliedFleet(
                        StepFields.count(value, path, "ready", true),
                        optionalCount(value, path, "pending"),
                        optionalCount(value, path, "desired"),
                        Long.MAX_VALUE);
                changes.add(() -> planner.observer().supplyFleet(pool, fleet));
            });
        }

        private static OptionalInt optionalCount(JsonNode value, String path, String name) throws StepException {
            boolean absent =
                    value.path(name).isMissingNode() || value.path(name).isNull();
            return absent ? OptionalInt.empty() : OptionalInt.of(StepFields.count(value, path, name, true));
        }

        private void queue(JsonNode member, List<Runnable> changes) throws StepException {
            eachPool(member, "queue", QUEUE, (pool, path, value) -> {
                double requests = StepFields.required(value, path, "requests", 0);
                changes.add(() -> planner.planMaker().supplyQueue(pool, requests, Long.MAX_VALUE));
            });
        }

        private void forecast(JsonNode member, List<Runnable> changes) throws StepException {
            eachPool(member, "forecast", FORECAST, (pool, path, value) -> {
                List<SuppliedForecast.Point> points = new ArrayList<>();
                JsonNode list = value.path("points");
                if (!list.isArray() || list.isEmpty() || list.size() > SuppliedForecast.MAX_POINTS) {
                    throw new StepException(
                            path + ".points",
                            path + ".points must be a list of 1 to " + SuppliedForecast.MAX_POINTS + " objects");
                }
                for (int i = 0; i < list.size(); i++) {
                    points.add(point(list.get(i), path + ".points[" + i + "]", points));
                }
                SuppliedForecast forecast = new SuppliedForecast(points, Long.MAX_VALUE);
                changes.add(() -> planner.planMaker().supplyForecast(pool, forecast));
            });
        }

        private static SuppliedForecast.Point point(JsonNode node, String path, List<SuppliedForecast.Point> before)
                throws StepException {
            StepFields.onlyKnown(node, path, POINT);
            double seconds = StepFields.required(node, path, "timeSeconds", 0);
            double rate = StepFields.required(node, path, "requestsPerSecond", 0);
            long nanos = (long) (Math.min(seconds, MOST_SECONDS) * 1e9);
            if (!before.isEmpty() && nanos <= before.get(before.size() - 1).nanos()) {
                String field = path + ".timeSeconds";
                throw new StepException(field, field + " must be later than that of the point before");
            }
            return new SuppliedForecast.Point(nanos, Math.min(rate, 1e6));
        }

        private void traffic(JsonNode member, long nowNanos, List<Runnable> changes) throws StepException {
            eachPool(member, "traffic", TRAFFIC, (pool, path, value) -> {
                double seconds = StepFields.required(value, path, "seconds", 1e-3);
                OptionalDouble requests = StepFields.optional(value, path, "requests", 0, 1e12);
                SuppliedTraffic traffic = new SuppliedTraffic(
                        requests.isPresent()
                                ? OptionalDouble.of(requests.getAsDouble() / seconds)
                                : OptionalDouble.empty(),
                        StepFields.optional(value, path, "inputTokens", 1, 1 << 24),
                        StepFields.optional(value, path, "outputTokens", 1, 1 << 24),
                        StepFields.optional(value, path, "cachedShare", 0, 1));
                long until = nowNanos + (long) (REPORT_LIFETIME * seconds * 1e9);
                changes.add(() -> planner.observer().supplyTraffic(pool, traffic, until));
            });
        }

        private void engine(JsonNode member, List<Runnable> changes) throws StepException {
            eachPool(member, "engine", ENGINE, (pool, path, value) -> {
                EngineLimits now = planner.observer().limits(pool);
                int tokens = StepFields.count(value, path, "maxBatchedTokens", false);
                int sequences = StepFields.count(value, path, "maxSequences", false);
                OptionalDouble kv = StepFields.optional(value, path, "kvCapacityTokens", 1, 1e15);
                EngineLimits limits = new EngineLimits(
                        tokens > 0 ? tokens : now.maxBatchedTokens(),
                        sequences > 0 ? sequences : now.maxSequences(),
                        kv.isPresent() ? OptionalLong.of((long) kv.getAsDouble()) : now.kvCapacityTokens(),
                        now.schedulingRule());
                changes.add(() -> planner.observer().supplyLimits(pool, limits));
            });
        }
    }
}
