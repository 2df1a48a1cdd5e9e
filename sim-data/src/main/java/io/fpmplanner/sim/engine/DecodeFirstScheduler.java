/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** vLLM's V1 scheduler: running requests, then waiting ones, until the token budget is used up. */
final class DecodeFirstScheduler implements Scheduler {
    /*
     * vllm/v1/core/sched/scheduler.py: a running request without room for its next tokens preempts from the end of the
     * running list, at last itself; in a step with a preemption nothing is admitted. A chunked prompt is always the last
     * admitted, so decodes come before it without a rule of their own. Cached blocks are looked up at admission.
     */
    private final EngineSettings settings;
    private final int draftTokens;

    DecodeFirstScheduler(EngineSettings settings) {
        this.settings = settings;
        this.draftTokens = settings.speculation().draftTokens();
    }

    @Override
    public void compose(EngineQueues queues, StepBatch batch) {
        long preemptionsBefore = queues.preemptions();
        int budget = scheduleRunning(queues, batch, settings.maxBatchedTokens());
        if (queues.preemptions() == preemptionsBefore) {
            admitWaiting(queues, batch, budget);
        }
    }

    private int scheduleRunning(EngineQueues queues, StepBatch batch, int budget) {
        int left = budget;
        for (int i = 0; i < queues.running.size() && left > 0; i++) {
            Sequence sequence = queues.running.get(i);
            int tokens = Math.min(sequence.remainingTokens(draftTokens), left);
            if (!makeRoom(queues, sequence, sequence.computedTokens + tokens)) {
                break;
            }
            batch.add(sequence, tokens);
            left -= tokens;
        }
        return left;
    }

    /** False when the sequence itself had to go. */
    @SuppressWarnings("ReferenceEquality") // Sequences are identities.
    private static boolean makeRoom(EngineQueues queues, Sequence sequence, int tokens) {
        while (!queues.kv.reserve(sequence, tokens)) {
            if (queues.preemptYoungest() == sequence) {
                return false;
            }
        }
        return true;
    }

    private void admitWaiting(EngineQueues queues, StepBatch batch, int budget) {
        int left = budget;
        Sequence next = queues.firstWaiting();
        while (next != null && left > 0 && queues.running.size() < settings.maxSequences()) {
            int cached = queues.kv.cachedTokens(next);
            int computed = Math.max(cached, next.computedTokens);
            int tokens = Math.min(next.prefillTarget - computed, left);
            if (!queues.kv.admit(next, cached, computed + tokens)) {
                return;
            }
            batch.add(queues.admitFirst(), tokens);
            left -= tokens;
            next = queues.firstWaiting();
        }
    }
}
