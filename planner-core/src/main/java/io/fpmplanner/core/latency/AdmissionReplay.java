/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * A decode pool's part of the TTFT: until a place in the batch is free behind those that wait already, and the first
 * step there.
 */
final class AdmissionReplay {
    private AdmissionReplay() {}

    static PrefillReplay.Outcome run(RankMoment moment, StepTimes times, double ownContextTokens) {
        double running = moment.load().decodeRequests();
        double kvTokens = moment.load().decodeKvTokens();
        double runningStep = running > 0 ? times.decode(running, kvTokens).meanSeconds() : 0;
        double ahead = moment.load().queuedDecodeRequests();
        double free = moment.maxRunning() - running;
        double departures = Math.max(0, ahead + 1 - free);
        double steps = running > 0 ? Math.ceil(departures * moment.outputTokens() / running) : 0;
        double waitSeconds = steps * runningStep;
        double batch = Math.min(moment.maxRunning(), running + ahead + 1);
        double joined = Math.max(0, batch - 1 - running);
        double first = times.decode(Math.max(1, batch), kvTokens + joined * moment.contextTokens() + ownContextTokens)
                .meanSeconds();
        return new PrefillReplay.Outcome(runningStep, waitSeconds, waitSeconds + first, steps + 1);
    }
}
