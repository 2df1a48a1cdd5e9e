/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;

/** Who is inside an engine, and who of them gets into the next step. Not threadsafe. */
final class TwinAdmission {
    /*
     * Rules: DECODE_FIRST as vLLM's V1 scheduler (running requests, then a cut prompt, then waiting ones, within the token
     * budget; without KV room the youngest is preempted, be it a cut prompt, and what is lost is computed again); PREFILL_FIRST as SGLang (prompts
     * only while any can start, keeping a tenth of the answers' room free; decodes stand still meanwhile).
     * The decode role takes requests with their context: room in the KV cache, transfer, then a place in the batch.
     */
    private static final double RESERVED_OUTPUT_SHARE = 0.1;

    final TwinRequests waiting = new TwinRequests();
    final TwinPrompts prompts = new TwinPrompts();
    final TwinBatch batch = new TwinBatch();
    final TwinProbes probes;
    final Role role;
    final TwinTransfers transfers;
    final boolean decodeFirst;
    final double kvCapacity;
    private final int budgetTokens;
    private final int maxSequences;
    private final TwinPreempted preempted = new TwinPreempted();
    private long preemptions;

    TwinAdmission(Role role, EngineLimits limits, TwinTransfers transfers, TwinProbes probes) {
        this.role = role;
        this.probes = probes;
        this.transfers = transfers;
        this.decodeFirst = role == Role.DECODE || limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.budgetTokens = limits.maxBatchedTokens();
        this.maxSequences = limits.maxSequences();
        this.kvCapacity = limits.kvCapacityTokens().isPresent()
                ? limits.kvCapacityTokens().getAsLong()
                : Double.POSITIVE_INFINITY;
    }

    void clear() {
        waiting.clear();
        transfers.clear();
        prompts.clear();
        batch.clear();
        preempted.clear();
        probes.clear();
    }

    int inside() {
        return batch.size() + prompts.size() + waiting.size() + transfers.size();
    }

    long preemptions() {
        return preemptions;
    }

    boolean canJoin() {
        return batch.size() + prompts.size() < maxSequences;
    }

    double kvUsed() {
        return batch.contextTokens() + prompts.kvTokens() + transfers.kvTokens();
    }

    /**
     * Takes prompts into the step that begins now.
     *
     * @param crowded whether somebody was preempted for it, and so nobody is let in
     */
    void composePrompts(boolean crowded, double nowSeconds) {
        double left = prompts.compose(promptBudget());
        while (!crowded && left > 0 && canJoin()) {
            if (probes.isFirst()) {
                if (!fits(left, probes.doneTokens(), probes.leftTokens(), probes.outputTokens())) {
                    break;
                }
                probes.turn(nowSeconds, this);
                continue;
            }
            if (waiting.isEmpty() || !firstFits(left)) {
                break;
            }
            taken(nowSeconds);
            left = prompts.take(waiting, left);
        }
        prompts.start();
    }

    void lastWasPreempted() {
        preempted.push(batch.releasedTokens());
    }

    /* The first of the queue is let in. */
    private void taken(double nowSeconds) {
        probes.taken(nowSeconds);
        if (!preempted.isEmpty()) {
            preempted.pop();
        }
    }

    private double promptBudget() {
        return budgetTokens - (decodeFirst ? batch.size() : 0);
    }

    private boolean firstFits(double left) {
        if (!preempted.isEmpty()) {
            preempted.find(waiting, kvCapacity - kvUsed() - prompts.tokens(), batch.releasedTokens());
        }
        return fits(left, waiting.doneTokens(0), waiting.leftTokens(0), waiting.outputTokens(0));
    }

    private boolean fits(double budget, double doneTokens, double leftTokens, double outputTokens) {
        if (kvCapacity == Double.POSITIVE_INFINITY || (batch.isEmpty() && prompts.isEmpty())) {
            return true;
        }
        double free = kvCapacity - kvUsed() - prompts.tokens();
        if (decodeFirst) {
            return doneTokens + Math.min(budget, leftTokens) <= free - batch.size();
        }
        double reserved = RESERVED_OUTPUT_SHARE * (batch.tokensLeft() + outputTokens);
        return doneTokens + leftTokens + reserved <= free;
    }

    /** Preempts the youngest while those who run do not fit into the next step; returns whether it had to. */
    boolean makeRoom() {
        boolean any = false;
        if (kvCapacity < Double.POSITIVE_INFINITY && !prompts.isEmpty() && !batch.isEmpty()) {
            double chunk = Math.max(0, Math.min(promptBudget(), prompts.leftTokens()));
            if (kvUsed() + batch.size() + chunk > kvCapacity) {
                preemptPrompt();
                any = true;
            }
        }
        while (batch.size() > 1 && kvUsed() + batch.size() > kvCapacity) {
            int last = batch.size() - 1;
            int request = batch.request(last);
            double context = batch.contextTokens(last);
            double output = batch.tokensLeft(last);
            batch.removeLast();
            queueAgain(request, context, output);
            any = true;
        }
        return any;
    }

    private void preemptPrompt() {
        int request = prompts.request(0);
        double context = prompts.contextTokens(0);
        double output = prompts.outputTokens(0);
        batch.release(prompts.kvTokens());
        prompts.clear();
        queueAgain(request, context, output);
    }

    private void queueAgain(int request, double context, double output) {
        waiting.addFirst(request, 0, context, output);
        probes.putBack();
        preempted.push(batch.releasedTokens());
        preemptions++;
    }

    /** Decode role: reserves room, lets transfers pass, and takes who has come into the batch. */
    void receive(double nowSeconds) {
        while (true) {
            if (probes.isFirst()) {
                if (!hasRoom(probes.doneTokens() + probes.leftTokens())) {
                    break;
                }
                probes.enter(transfers.size());
                continue;
            }
            if (waiting.isEmpty() || !hasRoom(waiting.doneTokens(0) + waiting.leftTokens(0))) {
                break;
            }
            taken(nowSeconds);
            transfers.begin(waiting, nowSeconds);
        }
        transfers.finish(batch, maxSequences, nowSeconds, probes);
    }

    private boolean hasRoom(double contextTokens) {
        return inside() == waiting.size() || kvUsed() + contextTokens <= kvCapacity;
    }
}
