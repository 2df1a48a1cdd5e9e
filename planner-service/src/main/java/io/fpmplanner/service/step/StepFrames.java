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
     */
    private final StepPools pools;
    private final Planner planner;
    private final FrameLineReader lines = new FrameLineReader();
    private final FrameJson json = new FrameJson();

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
            planner.onReject(each.pool(), each.endpoint(), each.reason());
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

    private void deliver(List<Read> frames, long previousNanos, long nowNanos) {
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
