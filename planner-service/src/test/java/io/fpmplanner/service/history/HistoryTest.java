/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.PoolConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGIN = 1_700_000_000L * SECOND;
    private static final int HOURS = 7;

    @Test
    void sixHoursAreHeldInThreeResolutions() throws Exception {
        History history = new History(1);
        Planner planner = planner();
        long now = BEGIN;
        for (int second = 0; second < HOURS * 3_600; second++) {
            now = BEGIN + second * SECOND;
            if (second % 1_800 == 0) {
                planner.supplyFleet(0, 1 + second / 1_800, 0);
            }
            history.planned(planner.tick(now));
        }

        JsonNode fine = json(history, 600, now);
        JsonNode middle = json(history, 3_600, now);
        JsonNode coarse = json(history, 21_600, now);

        assertThat(fine.get("stepSeconds").asDouble()).isEqualTo(1);
        assertThat(fine.get("times")).hasSizeBetween(599, 601);
        assertThat(middle.get("stepSeconds").asDouble()).isEqualTo(5);
        assertThat(middle.get("times")).hasSizeBetween(719, 721);
        assertThat(coarse.get("stepSeconds").asDouble()).isEqualTo(30);
        assertThat(coarse.get("times")).hasSizeBetween(719, 721);
        assertThat(coarse.at("/series/readyReplicas"))
                .hasSize(coarse.get("times").size());
        assertThat(coarse.at("/series/readyReplicas/0").asInt()).isEqualTo(3);
        assertThat(coarse.at("/series/requestsPerSecond/0").isNull()).isTrue();
        assertThat(coarse.at("/series/ttftP50Seconds/0").isNull()).isTrue();
        assertThat(coarse.at("/evidence/0").asText()).isEqualTo("COLD");
        assertThat(coarse.at("/decisions/0/message").asText()).isNotBlank();
    }

    @Test
    void memoryIsBoundedWhateverTheNumberOfPools() {
        // 26 curves in 2,040 steps: 236 kB for one pool, and 64 pools have the finest steps.
        assertThat(new History(1).bytes()).isLessThan(250_000);
        assertThat(new History(50).bytes()).isLessThan(12_500_000);
        for (int pools : new int[] {64, 65, 200, 1_000, 3_000}) {
            assertThat(new History(pools).bytes()).as(pools + " pools").isLessThan(16_000_000);
        }
    }

    @Test
    void whatWasPostedInTheLastTenSecondsIsMeasured() throws Exception {
        History history = new History(1);
        Planner planner = planner();
        for (int i = 1; i <= 10; i++) {
            history.observed(
                    0,
                    List.of(new LatencyObservation(BEGIN, OptionalDouble.of(i / 10.0), OptionalDouble.empty())),
                    BEGIN);
        }
        history.planned(planner.tick(BEGIN));
        history.planned(planner.tick(BEGIN + 11 * SECOND));

        JsonNode series = json(history, 600, BEGIN + 11 * SECOND).get("series");

        assertThat(series.at("/ttftObservedP50Seconds/0").asDouble()).isEqualTo(0.6);
        assertThat(series.at("/ttftObservedP90Seconds/0").asDouble()).isEqualTo(1.0);
        assertThat(series.at("/ttftObservedP50Seconds/1").isNull()).isTrue();
        assertThat(series.at("/itlObservedP50Seconds/0").isNull()).isTrue();
    }

    private static JsonNode json(History history, int seconds, long nowNanos) {
        HistoryQuery query = new HistoryQuery(seconds, 0, List.of(Series.values()));
        return HistoryJson.write("chat", history.pool(0), query, nowNanos / 1_000_000);
    }

    private static Planner planner() throws Exception {
        return new Planner(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of())
                .config()
                .pools()
                .stream()
                .map(PoolConfig::settings)
                .toList());
    }
}
