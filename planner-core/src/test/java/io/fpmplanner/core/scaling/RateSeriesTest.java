/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RateSeriesTest {
    private static final double LOOK_SECONDS = 5;
    /** How alike two looks at a batch are whose requests stay for 20 s: exp(-5 / 20). */
    private static final double LIKENESS = 0.78;

    /** Looks with a trend among those at a level that wanders as batches do, 20 runs of ten minutes each. */
    private static int alarms(boolean alike, double rise) {
        int alarms = 0;
        for (int seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RateSeries series = new RateSeries();
            series.read(alike ? Sight.SAMPLED : Sight.COUNTED, 1);
            double away = 0;
            for (int look = 1; look <= 120; look++) {
                away = LIKENESS * away + Math.sqrt(1 - LIKENESS * LIKENESS) * random.nextGaussian();
                double rate = 20 + 4 * away + rise * look;
                series.add((long) (look * LOOK_SECONDS * 1e9), LOOK_SECONDS, rate * LOOK_SECONDS);
                alarms += series.forecast(30).slope() > 0 ? 1 : 0;
            }
        }
        return alarms;
    }

    @Test
    void looksThatErrAlikeAreNoTrend() {
        int before = alarms(false, 0);
        int since = alarms(true, 0);
        assertThat(since).as("of %d if each look counts as independent", before).isLessThan(7 * before / 10);
    }

    @Test
    void aRiseIsSeenAllTheSame() {
        assertThat(alarms(true, 1)).as("of 2,400 looks at a rise by 1 a look").isGreaterThan(1200);
    }

    @Test
    void arrivalsToldByTokensAreAsManyAsTheirLengthSaysNow() {
        RateSeries series = new RateSeries();
        series.read(Sight.DECODED, 256);
        for (int tick = 1; tick <= 30; tick++) {
            series.add(tick * 1_000_000_000L, 1, 0.5, 1024);
        }
        assertThat(series.forecast(30).level()).isEqualTo(4.5);
        series.read(Sight.DECODED, 1024);
        assertThat(series.forecast(30).level())
                .as("once answers are known to be longer")
                .isEqualTo(1.5);
    }

    /** Four requests/s for five hours: a change that was none costs what was known of the level. */
    @Test
    void fewRequestsAtALevelDoNotChangeIt() {
        int falls = 0;
        for (int seed = 0; seed < 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RateSeries series = new RateSeries();
            double next = 0;
            long fell = 0;
            for (int second = 1; second <= 1800; second++) {
                int came = 0;
                while (next < second) {
                    next -= Math.log(1 - random.nextDouble()) / 4;
                    came++;
                }
                series.add(second * 1_000_000_000L, 1, came);
                falls += series.fellAtNanos() == fell ? 0 : 1;
                fell = series.fellAtNanos();
            }
        }
        assertThat(falls).as("falls that were seen").isLessThan(3);
    }
}
