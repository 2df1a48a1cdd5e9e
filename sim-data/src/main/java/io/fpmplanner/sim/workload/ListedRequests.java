/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import java.util.List;
import java.util.NoSuchElementException;

/** A given list of requests as a source. Not threadsafe. */
public final class ListedRequests implements RequestSource {
    private final List<Request> requests;
    private int taken;

    /** @param requests in order of arrival */
    public ListedRequests(List<Request> requests) {
        this.requests = requests;
    }

    @Override
    public long nextArrivalNanos() {
        return taken == requests.size() ? Long.MAX_VALUE : requests.get(taken).arrivalNanos();
    }

    @Override
    public Request next() {
        if (taken == requests.size()) {
            throw new NoSuchElementException("all " + taken + " requests have been taken");
        }
        return requests.get(taken++);
    }
}
