/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.service.frames.FrameJson;
import io.fpmplanner.service.frames.FrameLineReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Hands the frames of a line to the planner. Not threadsafe. */
final class StepFrames {
    /*
     * Frames without a time of their own came some time between the previous line and this one: those of one rank are
     * laid back to back by their wall times, the last at the end. Spread evenly, idle time would be learned as a gap
     * between steps.
     *
     * Who polls hands on the newest frame of a rank again while there is no newer one. That says that the rank is still
     * there and computed nothing since: it is taken for a heartbeat, and its work is not counted twice. Other frames with
     * the number of the one before come from an engine that does not count.
     */
    private final StepPools pools;
    private final Planner planner;
    private final FrameLineReader lines = new FrameLineReader();
    private final FrameJson json = new FrameJson();
    private final Map<String, Figures> newest = new HashMap<>();

    StepFrames(StepPools pools, Planner planner) {
        this.pools = pools;
        this.planner = planner;
    }

    private record Read(int pool, FpmFrame frame, String endpoint, long sequence, OptionalDouble ageSeconds) {
        String rank() {
            return pool + "|" + endpoint + "|" + frame.workerId() + "|" + frame.dpRank();
        }
    }

    private record Refused(int index, int pool, String endpoint, RejectReason reason) {}

    /** The frames of one line, read and not yet handed on. */
    record Batch(List<Read> accepted, List<Refused> refused) {}

    /**
     * Reads all frames of a line without handing any on.
     *
     * @param nowNanos time of the line
     * @throws StepException if the line is wrong around its frames; a frame that is no frame is part of the result
     */
    Batch read(JsonNode list, long nowNanos) throws StepException {
        if (!list.isArray() && !list.isMissingNode()) {
            throw new StepException("frames", "frames must be an array");
        }
        Batch batch = new Batch(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.get(i);
            String path = "frames[" + i + "]";
            int pool = pools.index(entry.path("pool"), path + ".pool");
            FpmFrame frame = new FpmFrame();
            @Nullable RejectReason reason = read(entry, frame);
            if (reason == null) {
                batch.accepted().add(describe(entry, pool, frame, path, nowNanos));
            } else {
                batch.refused().add(new Refused(i, pool, endpoint(entry), reason));
            }
        }
        return batch;
    }

    /**
     * Hands frames to the planner and writes how many were accepted, and which not and why, into the answer.
     *
     * @param previousNanos time of the previous line
     * @param nowNanos time of this line
     */
    void deliver(Batch batch, long previousNanos, long nowNanos, ObjectNode answer) {
        deliver(batch.accepted(), previousNanos, nowNanos);
        ObjectNode counts =
                answer.putObject("frames").put("accepted", batch.accepted().size());
        ArrayNode rejected = counts.putArray("rejected");
        for (Refused each : batch.refused()) {
            planner.observer().onReject(each.pool(), each.endpoint(), each.reason());
            rejected.addObject()
                    .put("index", each.index())
                    .put("pool", pools.id(each.pool()))
                    .put("reason", each.reason().name())
                    .put("detail", each.reason().sentence());
        }
    }

    private @Nullable RejectReason read(JsonNode entry, FpmFrame into) {
        JsonNode payload = entry.path("msgpack");
        if (payload.isTextual()) {
            return json.readBase64(payload.asText(), into);
        }
        JsonNode nested = entry.path("frame");
        return lines.read(nested.isMissingNode() ? entry : nested, into);
    }

    private Read describe(JsonNode entry, int pool, FpmFrame frame, String path, long nowNanos) throws StepException {
        OptionalDouble time = StepFields.optional(entry, path, "timeSeconds", 0, StepSession.MOST_SECONDS);
        OptionalDouble sequence = StepFields.optional(entry, path, "sequence", 0, 1L << 53);
        OptionalDouble age =
                time.isPresent() ? OptionalDouble.of(nowNanos / 1e9 - time.getAsDouble()) : OptionalDouble.empty();
        if (age.isPresent() && age.getAsDouble() < -1e-6) {
            throw new StepException(
                    path + ".timeSeconds", path + ".timeSeconds must not be later than the line's timeSeconds");
        }
        long number = sequence.isPresent() ? (long) sequence.getAsDouble() : FpmFrame.NO_SEQUENCE;
        return new Read(pool, frame, endpoint(entry), number, age);
    }

    private static String endpoint(JsonNode entry) {
        String given = entry.path("endpoint").asText("");
        return given.isEmpty() ? "step" : given;
    }

    /** What tells two frames of a rank apart. */
    private record Figures(
            long position,
            double wallTime,
            long prefillTokens,
            long decodes,
            long kvTokens,
            long queuedTokens,
            long queuedDecodes) {
        static Figures of(Read read) {
            FpmFrame frame = read.frame();
            return new Figures(
                    read.sequence() == FpmFrame.NO_SEQUENCE ? frame.streamPosition() : read.sequence(),
                    frame.wallTimeSeconds(),
                    frame.scheduledPrefillTokens(),
                    frame.scheduledDecodeRequests(),
                    frame.scheduledDecodeKvTokens(),
                    frame.queuedPrefillTokens(),
                    frame.queuedDecodeRequests());
        }
    }

    /** The frame as it is to be handed on: a repeated one as a heartbeat, one of an engine that does not count unnumbered. */
    private Read sorted(Read read) {
        Figures figures = Figures.of(read);
        Figures before = newest.put(read.rank(), figures);
        if (before == null || before.position() != figures.position()) {
            return read;
        }
        FpmFrame frame = read.frame();
        if (before.equals(figures)) {
            int rank = frame.dpRank();
            String worker = frame.workerId();
            String scope = frame.timingScope();
            frame.clearPayload().workerId(worker).dpRank(rank).timingScope(scope);
        } else {
            frame.clearCounter();
        }
        return new Read(read.pool(), frame, read.endpoint(), FpmFrame.NO_SEQUENCE, read.ageSeconds());
    }

    private void deliver(List<Read> received, long previousNanos, long nowNanos) {
        List<Read> frames = received.stream().map(this::sorted).toList();
        Map<String, Double> toCome = new HashMap<>();
        frames.forEach(read -> toCome.merge(read.rank(), read.frame().wallTimeSeconds(), Double::sum));
        double room = (nowNanos - previousNanos) / 1e9;
        Map<String, Double> squeeze = new HashMap<>();
        toCome.forEach((rank, seconds) -> squeeze.put(rank, seconds > room ? room / seconds : 1));
        for (Read read : frames) {
            double left = toCome.merge(read.rank(), -read.frame().wallTimeSeconds(), Double::sum);
            double age = read.ageSeconds().orElse(left * squeeze.getOrDefault(read.rank(), 1.0));
            long at = nowNanos - (long) (Math.max(0, age) * 1e9);
            planner.onFrame(read.pool(), read.frame().arrival(read.endpoint(), read.sequence(), at));
        }
    }
}
