/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestStreamTest {
    private static final LengthDistribution PROMPTS = LengthDistribution.logNormal(1000, 0.6, 10, 8000);
    private static final LengthDistribution OUTPUTS = LengthDistribution.fixed(128);

    @Test
    void equal_seeds_give_equal_streams_and_other_seeds_others() {
        ArrivalRate rate = ArrivalRate.riseAndFall(1, 9, 60);

        assertThat(take(stream(rate, 7), 500)).isEqualTo(take(stream(rate, 7), 500));
        assertThat(take(stream(rate, 7), 500)).isNotEqualTo(take(stream(rate, 8), 500));
    }

    /** Pins the numbers themselves, so that a JDK or a refactoring that changes them is noticed. */
    @Test
    void the_first_requests_of_seed_one_are_known() {
        List<Request> requests = take(stream(ArrivalRate.constant(10), 1), 3);

        assertThat(requests).map(Request::inputTokens).containsExactly(1047, 969, 692);
        assertThat(requests).map(Request::arrivalNanos).containsExactly(83_600_553L, 437_655_993L, 496_402_311L);
    }

    @Test
    void arrivals_follow_the_rate() {
        RequestStream stream = stream(ArrivalRate.riseAndFall(2, 10, 100), 3);
        int[] perQuarter = new int[4];

        // 200 periods; each quarter expects 200 * 25 s * its mean rate.
        while (stream.nextArrivalNanos() < 20_000_000_000_000L) {
            double seconds = stream.next().arrivalNanos() * 1e-9 % 100;
            perQuarter[(int) (seconds / 25)]++;
        }

        double outer = 200 * (25 * 6.0 - 4 * 100 / (2 * Math.PI));
        double inner = 200 * (25 * 6.0 + 4 * 100 / (2 * Math.PI));
        assertThat(IntStream.of(perQuarter).asDoubleStream().toArray())
                .as(Arrays.toString(perQuarter))
                .satisfies(counts -> {
                    // Five standard deviations of a Poisson count.
                    assertThat(counts[0]).isCloseTo(outer, within(5 * Math.sqrt(outer)));
                    assertThat(counts[1]).isCloseTo(inner, within(5 * Math.sqrt(inner)));
                    assertThat(counts[2]).isCloseTo(inner, within(5 * Math.sqrt(inner)));
                    assertThat(counts[3]).isCloseTo(outer, within(5 * Math.sqrt(outer)));
                });
    }

    @Test
    void lengths_have_the_median_asked_for_and_stay_inside_their_bounds() {
        int[] lengths = take(stream(ArrivalRate.constant(1), 5), 20_000).stream()
                .mapToInt(Request::inputTokens)
                .sorted()
                .toArray();

        assertThat(lengths[0]).isGreaterThanOrEqualTo(10);
        assertThat(lengths[lengths.length - 1]).isLessThanOrEqualTo(8000);
        // Standard error of the log-median is 1.25 * 0.6 / sqrt(20000) = 0.5 %; four of them.
        assertThat((double) lengths[10_000]).isCloseTo(1000, within(22.0));
    }

    @Test
    void a_rate_that_falls_to_zero_ends_the_stream() {
        RequestStream stream = stream(ArrivalRate.ramp(5, 0, 10), 2);
        while (stream.nextArrivalNanos() < Long.MAX_VALUE) {
            assertThat(stream.next().arrivalNanos()).isLessThan(10_000_000_000L);
        }

        assertThatThrownBy(stream::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void impossible_arguments_are_refused_with_the_value() {
        assertThatThrownBy(() -> ArrivalRate.constant(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> ArrivalRate.constant(Double.POSITIVE_INFINITY)).hasMessageContaining("Infinity");
        assertThatThrownBy(() -> ArrivalRate.riseAndFall(5, 1, 60)).hasMessageContaining("high");
        assertThatThrownBy(() -> stream(ArrivalRate.constant(0), 1)).hasMessageContaining("above 0");
        assertThatThrownBy(() -> LengthDistribution.fixed(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> LengthDistribution.logNormal(5, -1, 1, 10)).hasMessageContaining("sigma");
        assertThatThrownBy(() -> new Request(0, 0, 0, 0, 1)).hasMessageContaining("at least one");
        assertThatThrownBy(() -> new Request(0, 0, 5, 5, 1)).hasMessageContaining("5 of 5");
    }

    private static RequestStream stream(ArrivalRate rate, long seed) {
        return new RequestStream(rate, PROMPTS, OUTPUTS, 0, seed);
    }

    private static List<Request> take(RequestStream stream, int count) {
        return Stream.generate(stream::next).limit(count).toList();
    }
}
