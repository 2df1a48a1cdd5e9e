/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many clients that each ask again as soon as they are answered: first so few that all are served, to see how many a
 * second that makes, then ten times as many.
 */
final class RestFlood implements AutoCloseable {
    /** As many as keep the service busy without a queue. */
    private static final int FEW_CLIENTS = 20;

    private static final int CLIENTS = 10 * FEW_CLIENTS;
    private static final double CAPACITY_SECONDS = 3;
    private static final int MOST_SAMPLES = 1 << 21;
    private static final double MOST_P99_MILLIS = 50;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client;
    private final long[] admittedNanos = new long[MOST_SAMPLES];
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private volatile int clients;
    private long startNanos;
    private double servedPerSecond;

    RestFlood(String url) {
        URI server = URI.create(url);
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setDefaultHost(server.getHost()).setDefaultPort(server.getPort()),
                new PoolOptions().setHttp1MaxSize(CLIENTS));
    }

    /**
     * What was seen of the overload.
     *
     * @param admitted requests answered
     * @param p99Millis of these, from asking to the last byte
     * @param refused with 429 or 503 and when to try again
     * @param wrong answered in any other way, or not
     * @param timesCapacity requests asked a second over those served a second without overload
     */
    record Result(int admitted, double p99Millis, int refused, int wrong, double timesCapacity) {
        boolean isAsPromised() {
            return admitted > 0 && wrong == 0 && p99Millis <= MOST_P99_MILLIS;
        }

        String figure() {
            return String.format(
                    Locale.ROOT,
                    "%d admitted, p99 %.1f ms, %d refused, %d wrong, %.1f times the rate",
                    admitted,
                    p99Millis,
                    refused,
                    wrong,
                    timesCapacity);
        }
    }

    void measureCapacity(Watch watch) throws InterruptedException {
        start(FEW_CLIENTS);
        watch.during(CAPACITY_SECONDS); // until both sides are warm
        admitted.set(0);
        watch.during(CAPACITY_SECONDS);
        servedPerSecond = admitted.get() / CAPACITY_SECONDS;
    }

    void overload() {
        admitted.set(0);
        refused.set(0);
        wrong.set(0);
        start(CLIENTS);
    }

    private void start(int wanted) {
        int more = wanted - clients;
        clients = wanted;
        startNanos = System.nanoTime();
        for (int i = 0; i < more; i++) {
            ask();
        }
    }

    private void ask() {
        if (clients == 0) {
            return;
        }
        long start = System.nanoTime();
        client.request(HttpMethod.GET, "/v1/pools")
                .compose(request -> request.send())
                .compose(response -> response.body().map(body -> response))
                .onComplete(answer -> {
                    if (answer.succeeded()) {
                        count(answer.result(), System.nanoTime() - start);
                    } else {
                        wrong.incrementAndGet();
                    }
                    ask();
                });
    }

    private void count(HttpClientResponse response, long nanos) {
        int status = response.statusCode();
        if (status == 200) {
            admittedNanos[admitted.getAndIncrement() % MOST_SAMPLES] = nanos;
        } else if ((status == 429 || status == 503) && response.getHeader("Retry-After") != null) {
            refused.incrementAndGet();
        } else {
            wrong.incrementAndGet();
        }
    }

    Result result() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        clients = 0;
        int count = Math.min(MOST_SAMPLES, admitted.get());
        long[] sorted = Arrays.copyOf(admittedNanos, count);
        Arrays.sort(sorted);
        return new Result(
                admitted.get(),
                count == 0 ? Double.NaN : sorted[(int) (0.99 * (count - 1))] / 1e6,
                refused.get(),
                wrong.get(),
                (admitted.get() + refused.get() + wrong.get()) / seconds / servedPerSecond);
    }

    @Override
    public void close() {
        clients = 0;
        vertx.close();
    }
}
