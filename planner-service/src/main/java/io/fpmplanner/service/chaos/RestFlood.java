/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Many clients that each ask again as soon as they are answered. */
final class RestFlood implements AutoCloseable {
    private static final int CLIENTS = 200;
    private static final int MOST_SAMPLES = 1 << 20;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client;
    private final URI url;
    private final long[] admittedNanos = new long[MOST_SAMPLES];
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean(true);

    RestFlood(String url) {
        this.url = URI.create(url);
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setDefaultHost(this.url.getHost()).setDefaultPort(this.url.getPort()),
                new PoolOptions().setHttp1MaxSize(CLIENTS));
    }

    void start() {
        for (int i = 0; i < CLIENTS; i++) {
            ask();
        }
    }

    private void ask() {
        if (!running.get()) {
            return;
        }
        long start = System.nanoTime();
        client.request(HttpMethod.GET, "/v1/pools")
                .compose(request -> request.send())
                .compose(response -> response.body().map(body -> response.statusCode()))
                .onComplete(answer -> {
                    if (answer.failed()) {
                        failed.incrementAndGet();
                    } else if (answer.result() == 200) {
                        admittedNanos[admitted.getAndIncrement() % MOST_SAMPLES] = System.nanoTime() - start;
                    } else {
                        refused.incrementAndGet();
                    }
                    ask();
                });
    }

    String result() {
        running.set(false);
        int count = Math.min(MOST_SAMPLES, admitted.get());
        if (count == 0) {
            return "no request was admitted";
        }
        long[] sorted = Arrays.copyOf(admittedNanos, count);
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "%d admitted, p99 %.0f ms, %d refused, %d failed",
                admitted.get(),
                sorted[(int) (0.99 * (count - 1))] / 1e6,
                refused.get(),
                failed.get());
    }

    @Override
    public void close() {
        running.set(false);
        vertx.close();
    }
}
