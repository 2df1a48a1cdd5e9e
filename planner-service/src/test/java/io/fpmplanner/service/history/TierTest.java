/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.models.Evidence;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TierTest {
    private final Tier tier = new Tier(1_000, 4);

    @Test
    void aStepHoldsTheMeanOfWhatWasKnownAndTheLastOfWhatIsCounted() {
        add(10_000, 1, 3);
        add(10_400, Double.NaN, 5);
        add(10_900, 4, 4);
        add(11_000, 9, 4);

        assertThat(tier.size()).isEqualTo(2);
        assertThat(tier.startMillis(0)).isEqualTo(10_000);
        assertThat(tier.value(0, Series.BUSY_SHARE)).isEqualTo(2.5f);
        assertThat(tier.value(0, Series.READY_REPLICAS)).isEqualTo(4f);
        assertThat(tier.value(1, Series.BUSY_SHARE)).isEqualTo(9f);
        assertThat(tier.value(0, Series.TTFT_P50)).isNaN();
        assertThat(tier.evidence(1)).isEqualTo(Evidence.READY);
    }

    @Test
    void aPeakWithinAStepIsSeen() {
        for (double seconds : new double[] {0.2, Double.NaN, 3.5, 0.3}) {
            double[] row = new double[Series.count()];
            Arrays.fill(row, Double.NaN);
            Series.TTFT_P90.put(row, seconds);
            Series.TTFT_P50.put(row, seconds);
            tier.add(10_000, row, Evidence.READY);
        }

        assertThat(tier.value(0, Series.TTFT_P90)).isEqualTo(3.5f);
        assertThat(tier.value(0, Series.TTFT_P50)).isBetween(1.33f, 1.34f);
        assertThat(tier.value(0, Series.ITL_P90)).isNaN();
    }

    @Test
    void theOldestStepsGoAndOnesWithoutAPlanAreAbsent() {
        for (int second : new int[] {1, 2, 3, 7, 8, 9}) {
            add(1_000L * second, second, second);
        }

        assertThat(tier.size()).isEqualTo(4);
        assertThat(tier.startMillis(0)).isEqualTo(3_000);
        assertThat(tier.startMillis(1)).isEqualTo(7_000);
        assertThat(tier.value(3, Series.BUSY_SHARE)).isEqualTo(9f);
        assertThat(tier.firstAfter(0)).isZero();
        assertThat(tier.firstAfter(7_999)).isEqualTo(1);
        assertThat(tier.firstAfter(8_000)).isEqualTo(2);
        assertThat(tier.firstAfter(10_000)).isEqualTo(4);
    }

    @Test
    void aClockThatWasSetBackDoesNotDisorder() {
        add(5_000, 1, 1);
        add(2_000, 3, 1);
        add(6_000, 7, 1);

        assertThat(tier.size()).isEqualTo(2);
        assertThat(tier.value(0, Series.BUSY_SHARE)).isEqualTo(2f);
    }

    @Test
    void whatIsNotKnownLaterDoesNotKeepTheValueBefore() {
        add(1_000, 5, 2);
        add(2_000, Double.NaN, Double.NaN);

        assertThat(tier.value(1, Series.BUSY_SHARE)).isNaN();
        assertThat(tier.value(1, Series.READY_REPLICAS)).isNaN();
    }

    private void add(long millis, double mean, double last) {
        double[] row = new double[Series.count()];
        Arrays.fill(row, Double.NaN);
        Series.BUSY_SHARE.put(row, mean);
        Series.READY_REPLICAS.put(row, last);
        tier.add(millis, row, Evidence.READY);
    }
}
