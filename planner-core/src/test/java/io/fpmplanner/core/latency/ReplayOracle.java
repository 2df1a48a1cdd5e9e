/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.latency.StepTimes.PrefillChunk;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.SchedulingRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Runs an engine step by step, request by request, with the same step times: slow, obvious, and independent of the
 * {@link EngineTwin}. All requests have the same lengths; outputs end evenly spread.
 */
final class ReplayOracle {
    private ReplayOracle() {}

    /** A request on its way: tokens still to prefill, context so far, tokens still to generate. */
    private static final class Job {
        private double toPrefill;
        private double context;
        private double toGenerate;

        private Job(double toPrefill, double context, double toGenerate) {
            this.toPrefill = toPrefill;
            this.context = context;
            this.toGenerate = toGenerate;
        }
    }

    /** Seconds until the request that is queued last has its first token; nothing runs at the start. */
    static double ttft(EngineLimits limits, StepTimes times, int decoding, int queued, int prompt, int output) {
        List<Job> running = new ArrayList<>();
        for (int i = 0; i < decoding; i++) {
            double left = output * (i + 0.5) / decoding;
            running.add(new Job(0, prompt + output - left, left));
        }
        Deque<Job> waiting = new ArrayDeque<>();
        for (int i = 0; i < queued; i++) {
            waiting.add(new Job(prompt, 0, output));
        }
        Job own = new Job(prompt, 0, output);
        waiting.add(own);
        List<Job> prefilling = new ArrayList<>();
        double seconds = 0;
        while (own.toPrefill > 0) {
            seconds += step(limits, times, running, waiting, prefilling);
        }
        return seconds;
    }

    private static double step(
            EngineLimits limits, StepTimes times, List<Job> running, Deque<Job> waiting, List<Job> prefilling) {
        boolean decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        double room = limits.maxBatchedTokens() - (decodeFirst ? running.size() : 0);
        double tokens = 0;
        double kvTokens = 0;
        int chunks = 0;
        List<Job> done = new ArrayList<>();
        while (room > 0) {
            if (chunks == prefilling.size()) {
                if (waiting.isEmpty() || prefilling.size() + running.size() >= limits.maxSequences()) {
                    break;
                }
                prefilling.add(waiting.poll());
            }
            Job job = prefilling.get(chunks++);
            double chunk = Math.min(room, job.toPrefill);
            kvTokens += job.context;
            job.toPrefill -= chunk;
            job.context += chunk;
            tokens += chunk;
            room -= chunk;
            if (job.toPrefill <= 0) {
                done.add(job);
            }
        }
        boolean decodes = !running.isEmpty() && (decodeFirst || tokens == 0);
        double context = running.stream().mapToDouble(job -> job.context).sum();
        double seconds;
        if (tokens > 0) {
            seconds = times.decode(decodes ? running.size() : 0, decodes ? context : 0, 0)
                    .with(new PrefillChunk(chunks, tokens, kvTokens, 0))
                    .meanSeconds();
        } else {
            seconds = times.decode(running.size(), context, 0).meanSeconds();
        }
        if (decodes) {
            running.forEach(job -> {
                job.context++;
                job.toGenerate--;
            });
            running.removeIf(job -> job.toGenerate <= 0);
        }
        prefilling.removeAll(done);
        running.addAll(done);
        return seconds;
    }
}
