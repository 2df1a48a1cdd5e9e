/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.frames.FrameBatch.Item;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.source.EndpointLedger;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.FrameRing;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of posted frames, on the HTTP event loop, which is thereby the one producer of the ring.
 *
 * <p>A request is taken in as a whole or not at all as far as room and pools go, so that a sender may repeat it; of the
 * frames in it, those that are none are counted and lose nothing else.
 */
final class FrameRoutes {
    /** The limit of a body is at least this: some 1,500 frames as JSON, 2,300 as msgpack. */
    static final int LEAST_BODY_BYTES = 1 << 20;

    private static final List<String> MEDIA_TYPES = Stream.of(
                    FrameBatch.JSON, FrameBatch.MSGPACK, FrameBatch.JSON_LINES)
            .flatMap(List::stream)
            .toList();
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,200}");
    private static final int LISTED_POOLS = 20;

    private final List<Target> targets;
    private final HttpSenders senders;
    private final FrameBatch batch;
    private final int maxBodyBytes;
    private volatile @Nullable Door door;

    /** A pool, and whether it takes frames here. */
    record Target(String pool, boolean open) {}

    /** Where frames go. */
    private record Door(FrameRing ring, FrameIntake intake) {}

    FrameRoutes(List<Target> targets, HttpSenders senders, FrameBatch batch, int maxBodyBytes) {
        this.targets = List.copyOf(targets);
        this.senders = senders;
        this.batch = batch;
        this.maxBodyBytes = maxBodyBytes;
    }

    void install(Router router) {
        Routes routes = new Routes(router, maxBodyBytes);
        routes.post(
                "/v1/frames",
                MEDIA_TYPES,
                context -> post(context, context.queryParams().get("pool")));
        routes.post("/v1/pools/:pool/frames", MEDIA_TYPES, context -> post(context, context.pathParam("pool")));
    }

    /** From now on frames are taken. */
    void open(FrameRing ring, FrameIntake intake) {
        door = new Door(ring, intake);
    }

    /** From now on none are. */
    void shut() {
        door = null;
    }

    private void post(RoutingContext context, @Nullable String poolName) {
        if (targets.stream().noneMatch(Target::open)) {
            throw Problem.of(409, "no pool takes frames here; add http to the sources of one");
        }
        Door open = door;
        if (open == null) {
            throw Problem.of(503, "frames are not taken yet; try again in a second");
        }
        int pool = poolName == null ? onlyPool() : pool(poolName);
        String sender = sender(context);
        List<Item> items = items(context);
        requireRoom(open.ring(), items.size());
        Outcome outcome = new Outcome();
        for (int i = 0; i < items.size(); i++) {
            take(open.intake(), items.get(i), pool, sender, outcome);
        }
        open.intake().flush();
        outcome.answer(context);
    }

    private void take(FrameIntake intake, Item item, int requestPool, String sender, Outcome outcome) {
        int pool = item.pool().isEmpty() ? requestPool : indexOf(item.pool());
        if (pool < 0 || !targets.get(pool).open()) {
            outcome.refused(
                    Outcome.NO_SUCH_POOL,
                    item.pool().isEmpty()
                            ? "neither the request nor the frame names a pool; " + openPools()
                            : "there is no pool '" + item.pool() + "' that takes frames here; " + openPools());
            return;
        }
        EndpointLedger from = senders.of(pool, sender);
        if (from == null) {
            throw Problem.of(
                    429, "more than " + HttpSenders.MOST_SENDERS + " senders; '" + sender + "' is one too many");
        }
        Reading reading = new Reading(item);
        if (intake.frame(from, reading)) {
            outcome.accepted();
        } else {
            RejectReason reason = Objects.requireNonNull(reading.reason);
            String field = item.refusedField();
            outcome.refused(reason.name(), field.isEmpty() ? reason.sentence() : reason.sentence() + ": " + field);
        }
    }

    /** Reads an item and remembers the reason of a refusal. */
    private static final class Reading implements FrameIntake.Reader {
        private final Item item;
        private @Nullable RejectReason reason;

        Reading(Item item) {
            this.item = item;
        }

        @Override
        public @Nullable RejectReason read(FpmFrame into) {
            reason = item.read(into);
            return reason;
        }

        @Override
        public byte[] payload() {
            return item.payload();
        }

        @Override
        public String refusedField() {
            return item.refusedField();
        }
    }

    private List<Item> items(RoutingContext context) {
        String encoding = context.request().getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw Problem.of(415, "Content-Encoding must be absent, was '" + encoding + "'");
        }
        Buffer body = context.body().buffer();
        try {
            List<Item> items = batch.items(Routes.mediaType(context), body == null ? new byte[0] : body.getBytes());
            if (items.isEmpty()) {
                throw Problem.of(400, "the body holds no frame");
            }
            return items;
        } catch (JsonRefused e) {
            Problem problem = Problem.of(400, "the body cannot be read: " + e.getMessage());
            problem.members().put("reason", e.reason().name());
            throw problem;
        }
    }

    private static void requireRoom(FrameRing ring, int frames) {
        if (frames > ring.capacity()) {
            throw Problem.of(413, frames + " frames in one request; at most " + ring.capacity() + " can wait here");
        }
        if (frames > ring.room()) {
            throw Problem.of(503, "the planner is behind; nothing was taken, try again in a second");
        }
    }

    private int pool(String name) {
        int index = indexOf(name);
        if (index < 0) {
            throw Problem.of(404, "there is no pool '" + name + "'; " + openPools());
        }
        if (!targets.get(index).open()) {
            throw Problem.of(409, "pool '" + name + "' takes no frames here; add http to its sources");
        }
        return index;
    }

    private int indexOf(String name) {
        for (int i = 0; i < targets.size(); i++) {
            if (targets.get(i).pool().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The one pool that takes frames, or -1 if there are several. */
    private int onlyPool() {
        int found = -1;
        for (int i = 0; i < targets.size(); i++) {
            if (targets.get(i).open()) {
                if (found >= 0) {
                    return -1;
                }
                found = i;
            }
        }
        return found;
    }

    private String openPools() {
        return "frames are taken for "
                + targets.stream()
                        .filter(Target::open)
                        .map(Target::pool)
                        .limit(LISTED_POOLS)
                        .collect(Collectors.joining(", "));
    }

    /**
     * The name of the sender: the {@code endpoint} of the query, else the header {@code FPM-Endpoint}, else its address.
     * Without its port, which changes with each connection.
     */
    private static String sender(RoutingContext context) {
        String given = context.queryParams().get("endpoint");
        if (given == null) {
            given = context.request().getHeader("FPM-Endpoint");
        }
        if (given == null) {
            return context.request().remoteAddress().hostAddress();
        }
        if (!NAME.matcher(given).matches()) {
            throw Problem.field("endpoint", "endpoint must have 1 to 200 visible ASCII characters");
        }
        return given;
    }

    /** What became of the frames of one request. */
    private static final class Outcome {
        static final String NO_SUCH_POOL = "NO_SUCH_POOL";

        private final ObjectNode document = JsonNodeFactory.instance.objectNode();
        private final ObjectNode reasons = JsonNodeFactory.instance.objectNode();
        private @Nullable ObjectNode firstRejected;
        private int accepted;
        private int rejected;

        void accepted() {
            accepted++;
        }

        void refused(String reason, String sentence) {
            if (firstRejected == null) {
                firstRejected = JsonNodeFactory.instance
                        .objectNode()
                        .put("index", accepted)
                        .put("reason", reason)
                        .put("detail", sentence);
            }
            rejected++;
            reasons.put(reason, reasons.path(reason).asInt(0) + 1);
        }

        void answer(RoutingContext context) {
            if (accepted > 0) {
                Routes.send(context, describe(document));
                return;
            }
            boolean noPool = reasons.path(NO_SUCH_POOL).asInt(0) == rejected;
            Problem problem = Problem.of(
                    noPool ? 404 : 400,
                    "no frame was accepted: "
                            + Objects.requireNonNull(firstRejected)
                                    .path("detail")
                                    .asText());
            describe(problem.members());
            throw problem;
        }

        private ObjectNode describe(ObjectNode into) {
            into.put("accepted", accepted).put("rejected", rejected);
            into.set("reasons", reasons);
            into.set("firstRejected", firstRejected == null ? JsonNodeFactory.instance.nullNode() : firstRejected);
            return into;
        }
    }
}
