/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** SGLang's scheduler without mixed chunks: a step of prompts if any can start, else a step of decodes. */
final class PrefillFirstScheduler implements Scheduler {
    /*
     * sglang/srt/managers/scheduler.py, get_next_batch_to_run and PrefillAdder: a chunked prompt goes on first; a prompt is
     * admitted when it fits beside a share of the output that the running requests may still produce (new_token_ratio,
     * which decays from 0.7 to 0.7 * 0.14). A decode step without room retracts the youngest requests.
     */
    private static final double RESERVED_OUTPUT_SHARE = 0.1;

    private final EngineSettings settings;
    private final int draftTokens;

    PrefillFirstScheduler(EngineSettings settings) {
        this.settings = settings;
        this.draftTokens = settings.speculation().draftTokens();
    }

    @Override
    public void compose(EngineQueues queues, StepBatch batch) {
        int left = continueChunk(queues, batch);
        admitWaiting(queues, batch, left);
        if (batch.isEmpty()) {
            decode(queues, batch);
        }
    }

    /** Only the youngest running request can be in the middle of its prompt. */
    private int continueChunk(EngineQueues queues, StepBatch batch) {
        int budget = settings.maxBatchedTokens();
        if (queues.running.isEmpty()) {
            return budget;
        }
        Sequence youngest = queues.running.get(queues.running.size() - 1);
        if (!youngest.isPrefilling()) {
            return budget;
        }
        int tokens = Math.min(youngest.remainingTokens(draftTokens), budget);
        batch.add(youngest, tokens);
        return budget - tokens;
    }

    private void admitWaiting(EngineQueues queues, StepBatch batch, int budget) {
        int left = budget;
        Sequence next = queues.firstWaiting();
        double reserved = next == null ? 0 : reservedOutputTokens(queues);
        while (next != null && left > 0 && queues.running.size() < settings.maxSequences()) {
            double reservedWithNext = reserved + RESERVED_OUTPUT_SHARE * next.remainingOutputTokens();
            boolean alone = queues.running.isEmpty();
            int cached = queues.kv.cachedTokens(next);
            if (!alone && next.prefillTarget - cached + reservedWithNext > queues.kv.freeTokens()) {
                return;
            }
            if (!queues.kv.admit(next, cached, next.prefillTarget)) {
                return;
            }
            int tokens = Math.min(next.prefillTarget - next.computedTokens, left);
            batch.add(queues.admitFirst(), tokens);
            left -= tokens;
            reserved = reservedWithNext;
            next = queues.firstWaiting();
        }
    }

    private static double reservedOutputTokens(EngineQueues queues) {
        long remaining = 0;
        for (int i = 0; i < queues.running.size(); i++) {
            remaining += queues.running.get(i).remainingOutputTokens();
        }
        return RESERVED_OUTPUT_SHARE * remaining;
    }

    @SuppressWarnings("ReferenceEquality") // Sequences are identities.
    private void decode(EngineQueues queues, StepBatch batch) {
        int tokens = 1 + draftTokens;
        for (int i = 0; i < queues.running.size(); i++) {
            Sequence sequence = queues.running.get(i);
            while (!queues.kv.reserve(sequence, sequence.computedTokens + tokens)) {
                if (queues.preemptYoungest() == sequence) {
                    return;
                }
            }
            batch.add(sequence, tokens);
        }
    }
}
