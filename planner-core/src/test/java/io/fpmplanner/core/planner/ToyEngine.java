/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A small engine in virtual time with continuous batching. Its step time is a roofline, the larger of compute and
 * memory time, which is not of the form the learner fits.
 */
final class ToyEngine {
    private static final double HOST_GAP_SECONDS = 0.0008;

    private final String endpoint;
    private final String workerId;
    private final Role role;
    private final EngineLimits limits;
    private final SplittableRandom random;
    private final Consumer<FpmFrame> frames;
    private final List<Double> tokenGaps;
    private final Deque<ToyRequest> waiting = new ArrayDeque<>();
    private final List<ToyRequest> prefilling = new ArrayList<>();
    private final List<ToyRequest> decoding = new ArrayList<>();
    private final FpmFrame frame = new FpmFrame();
    private List<int[]> chunks = List.of();
    private List<ToyRequest> chunked = new ArrayList<>();
    private List<ToyRequest> stepDecodes = List.of();
    private double wall;
    /** Number of the next frame; a publisher that begins anew begins at 0. */
    long sequence;

    private boolean running;
    private double nextEvent;
    private double lastPublished;
    boolean draining;

    ToyEngine(String workerId, ToyFleet fleet, double now, SplittableRandom random) {
        this.endpoint = "tcp://" + workerId + ":20380";
        this.workerId = workerId;
        this.role = fleet.settings.role();
        this.limits = fleet.settings.limits();
        this.random = random;
        this.frames = fleet::publish;
        this.tokenGaps = fleet.tokenGaps;
        this.lastPublished = now;
        this.nextEvent = now + 1;
    }

    double nextEvent() {
        return nextEvent;
    }

    int load() {
        return waiting.size() + prefilling.size() + decoding.size();
    }

    void submit(ToyRequest request, double now) {
        if (role == Role.DECODE) {
            request.prefilled = request.promptTokens;
        }
        waiting.add(request);
        if (!running && nextEvent > now && load() == 1) {
            nextEvent = now;
        }
    }

    /** Ends the step that is due, or starts one, or sends the heartbeat that is due. */
    void advance(double now) {
        if (running) {
            finish(now);
            running = false;
            nextEvent = now + HOST_GAP_SECONDS;
        } else if (compose()) {
            running = true;
            nextEvent = now + wall;
        } else {
            if (now - lastPublished >= 0.999) {
                frame.clearPayload();
                publish(now);
            }
            nextEvent = lastPublished + 1;
        }
    }

    private boolean compose() {
        chunks = new ArrayList<>();
        chunked = new ArrayList<>();
        boolean prefillWaits = !prefilling.isEmpty() || !waiting.isEmpty();
        boolean decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        admitDecodes();
        stepDecodes = List.copyOf(decoding);
        if (role != Role.DECODE && prefillWaits) {
            composePrefill(limits.maxBatchedTokens() - (decodeFirst ? decoding.size() : 0));
            if (!decodeFirst && !chunks.isEmpty()) {
                stepDecodes = List.of();
            }
        }
        if (chunks.isEmpty() && stepDecodes.isEmpty()) {
            return false;
        }
        wall = stepSeconds();
        return true;
    }

    private void admitDecodes() {
        while (role == Role.DECODE && !waiting.isEmpty() && decoding.size() < limits.maxSequences()) {
            decoding.add(waiting.poll());
        }
    }

    private void composePrefill(int room) {
        for (ToyRequest request : prefilling) {
            room -= chunk(request, room);
        }
        while (room > 0 && !waiting.isEmpty() && prefilling.size() + decoding.size() < limits.maxSequences()) {
            ToyRequest request = waiting.poll();
            prefilling.add(request);
            room -= chunk(request, room);
        }
    }

    private int chunk(ToyRequest request, int room) {
        int tokens = Math.min(room, request.promptTokens - request.prefilled);
        if (tokens > 0) {
            chunks.add(new int[] {tokens, request.prefilled});
            chunked.add(request);
        }
        return Math.max(0, tokens);
    }

    private double stepSeconds() {
        double tokens = stepDecodes.size();
        double pairs = 0;
        double read = 0;
        for (int[] chunk : chunks) {
            tokens += chunk[0];
            pairs += chunk[0] * (chunk[1] + chunk[0] / 2.0);
            read += chunk[1];
        }
        for (ToyRequest request : stepDecodes) {
            read += request.context();
        }
        double compute = 1.6e-5 * tokens + 1.5e-9 * pairs;
        double memory = 0.0065 + 7e-8 * read;
        double noise = 1 + 0.03 * (random.nextDouble() - 0.5);
        return (0.0012 + 4e-6 * stepDecodes.size() + Math.max(compute, memory)) * noise;
    }

    private void finish(double now) {
        fillScheduled();
        for (int i = 0; i < chunks.size(); i++) {
            ToyRequest request = chunked.get(i);
            request.prefilled += chunks.get(i)[0];
            if (request.prefilled == request.promptTokens) {
                prefilling.remove(request);
                token(request, now);
                if (role != Role.PREFILL && request.generated < request.outputTokens) {
                    decoding.add(request);
                }
            }
        }
        stepDecodes.forEach(request -> token(request, now));
        decoding.removeIf(request -> request.generated >= request.outputTokens);
        fillQueued();
        frame.wallTimeSeconds(wall);
        publish(now);
    }

    private void token(ToyRequest request, double now) {
        request.generated++;
        if (request.firstToken < 0) {
            request.firstToken = now;
        } else {
            tokenGaps.add(now - request.lastToken);
        }
        request.lastToken = now;
    }

    private void fillScheduled() {
        frame.clearPayload();
        long tokens = 0;
        long kv = 0;
        for (int[] chunk : chunks) {
            tokens += chunk[0];
            kv += chunk[1];
        }
        frame.scheduledPrefill(chunks.size(), tokens, 0, kv);
        long context = stepDecodes.stream().mapToLong(ToyRequest::context).sum();
        frame.scheduledDecode(stepDecodes.size(), context, 0);
    }

    private void fillQueued() {
        long tokens =
                waiting.stream().mapToLong(request -> request.promptTokens).sum();
        if (role == Role.DECODE) {
            frame.queuedDecode(waiting.size(), tokens, 0);
        } else {
            frame.queuedPrefill(waiting.size(), tokens, 0);
        }
    }

    private void publish(double now) {
        frame.workerId(workerId).counterId(sequence);
        frame.arrival(endpoint, sequence++, ToyFleet.nanos(now));
        lastPublished = now;
        frames.accept(frame);
    }
}
