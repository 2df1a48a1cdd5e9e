/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Writes down what becomes of every request of a fleet. Not threadsafe. */
public final class RequestLedger implements FleetListener {
    private static final class Entry {
        final String poolId;
        final Request request;
        RequestRecord.Outcome outcome = RequestRecord.Outcome.UNFINISHED;
        long firstTokenNanos = RequestRecord.NONE;
        long endNanos = RequestRecord.NONE;

        Entry(String poolId, Request request) {
            this.poolId = poolId;
            this.request = request;
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    // Ids of several sources may be equal; the fleet hands on the same object all the way.
    private final IdentityHashMap<Request, Entry> open = new IdentityHashMap<>();

    @Override
    public void onArrival(String poolId, Request request) {
        Entry entry = new Entry(poolId, request);
        entries.add(entry);
        open.put(request, entry);
    }

    @Override
    public void onFirstToken(String poolId, Request request, long nowNanos) {
        Entry entry = open.get(request);
        if (entry != null) {
            entry.firstTokenNanos = nowNanos;
        }
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        close(log.request(), RequestRecord.Outcome.FINISHED, log.finishNanos());
    }

    @Override
    public void onRefused(String poolId, Request request, Refusal refusal, long nowNanos) {
        close(request, RequestRecord.Outcome.REFUSED, nowNanos);
    }

    @Override
    public void onLost(String poolId, Request request, long nowNanos) {
        close(request, RequestRecord.Outcome.LOST, nowNanos);
    }

    private void close(Request request, RequestRecord.Outcome outcome, long nowNanos) {
        Entry entry = open.remove(request);
        if (entry != null) {
            entry.outcome = outcome;
            entry.endNanos = nowNanos;
        }
    }

    /** Requests that arrived so far. */
    public int size() {
        return entries.size();
    }

    /** Requests that are still waiting or running. */
    public int unfinished() {
        return open.size();
    }

    /** All requests so far, in order of arrival. */
    public List<RequestRecord> records() {
        return entries.stream()
                .map(entry -> new RequestRecord(
                        entry.poolId, entry.request, entry.outcome, entry.firstTokenNanos, entry.endNanos))
                .toList();
    }
}
