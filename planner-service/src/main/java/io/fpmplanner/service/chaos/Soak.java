/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.service.chaos.Wire.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;

/**
 * A fleet and its planner for a long time, with faults that come and go and somebody who reads everything now and then.
 */
final class Soak {
    private static final List<String> READ = List.of(
            "/v1/pools",
            "/v1/pools/drill",
            "/v1/pools/drill/workers",
            "/v1/pools/drill/history?seconds=600",
            "/v1/pools/drill/decisions",
            "/v1/inputs",
            "/metrics",
            "/metrics/ranks");
    private static final List<Fault> FAULTS = List.of(
            Fault.NONE,
            Fault.FLAPPING,
            Fault.NONE,
            Fault.GARBAGE,
            Fault.NONE,
            Fault.TENFOLD,
            Fault.NONE,
            Fault.STRANGERS,
            Fault.NONE,
            Fault.DEAD);
    private static final double FAULT_SECONDS = 6;
    private static final double SAMPLE_SECONDS = 60;

    private final Arena arena;
    private final Watch watch;
    private final PrintWriter out;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Resources resources = new Resources();
    private int turn;
    private int unanswered;

    Soak(Arena arena, Watch watch, PrintWriter out) {
        this.arena = arena;
        this.watch = watch;
        this.out = out;
    }

    /** Whether nothing grew, nothing was recommended too small and everything was answered. */
    boolean run(double minutes) throws InterruptedException {
        long start = System.nanoTime();
        watch.untilWell(SAMPLE_SECONDS);
        watch.clear();
        double next = 0;
        while (minutes(start) < minutes) {
            arena.wire().set(FAULTS.get(turn++ % FAULTS.size()));
            watch.during(FAULT_SECONDS);
            arena.wire().set(Fault.NONE);
            READ.forEach(this::read);
            if (60 * minutes(start) >= next) {
                next += SAMPLE_SECONDS;
                out.printf(
                        Locale.ROOT,
                        "%5.1f min: %s%n",
                        minutes(start),
                        resources.take().text());
                out.flush();
            }
        }
        if (watch.tooFew() > 0) {
            out.println("the first plan that was too small: " + watch.firstTooFew());
        }
        boolean flat = resources.isFlat();
        out.printf(
                Locale.ROOT,
                "%.1f min, %d plans, %d too small, %d requests not answered: %s%n",
                minutes(start),
                watch.plans(),
                watch.tooFew(),
                unanswered,
                flat ? "flat" : "GROWING");
        return flat && watch.tooFew() == 0 && unanswered == 0;
    }

    private static double minutes(long startNanos) {
        return (System.nanoTime() - startNanos) / 60e9;
    }

    private void read(String path) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(arena.url() + path)).build();
            if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() != 200) {
                unanswered++;
            }
        } catch (IOException e) {
            unanswered++;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
