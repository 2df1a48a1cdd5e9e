/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import java.util.LinkedHashMap;
import java.util.Map;

/** A token bucket for each client: a second's worth may come at once. Not threadsafe; knows at most 10,000 clients. */
final class RateLimiter {
    private static final int MOST_CLIENTS = 10_000;

    private final double perSecond;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private static final class Bucket {
        private double tokens;
        private long filledNanos;
    }

    RateLimiter(double perSecond) {
        this.perSecond = perSecond;
    }

    /** Takes that many from the client's bucket, or nothing if there are fewer; whether it could. */
    boolean take(String client, double cost, long nowNanos) {
        Bucket bucket = buckets.get(client);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.tokens = perSecond;
            bucket.filledNanos = nowNanos;
            buckets.put(client, bucket);
        }
        double filled = bucket.tokens + Math.max(0, nowNanos - bucket.filledNanos) / 1e9 * perSecond;
        bucket.tokens = Math.min(Math.max(1, perSecond), filled);
        bucket.filledNanos = nowNanos;
        if (bucket.tokens < cost) {
            return false;
        }
        bucket.tokens -= cost;
        return true;
    }

    /** Takes that many even if there are fewer: a client in debt waits until it is paid off, at most a second. */
    void charge(String client, double cost) {
        Bucket bucket = buckets.get(client);
        if (bucket != null) {
            bucket.tokens = Math.max(-perSecond, bucket.tokens - cost);
        }
    }

    int clients() {
        return buckets.size();
    }
}
