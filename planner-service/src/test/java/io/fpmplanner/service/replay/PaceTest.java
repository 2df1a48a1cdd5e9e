/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    private final AtomicLong now = new AtomicLong(1_000);

    @Test
    void framesComeWhenTheyAreDue() throws InterruptedException {
        Pace pace = new Pace(10, now::get, now::addAndGet);

        pace.await(500_000);
        assertThat(now).hasValue(1_000);
        pace.await(600_000);
        assertThat(now).hasValue(11_000);
        pace.await(550_000);
        assertThat(now).hasValue(11_000);
        now.set(50_000); // the replay is behind: it catches up
        pace.await(700_000);
        assertThat(now).hasValue(50_000);
        pace.await(1_500_000);
        assertThat(now).hasValue(101_000);
    }

    @Test
    void atFullSpeedNothingWaits() throws InterruptedException {
        Pace pace = new Pace(Pace.MAX, now::get, nanos -> {
            throw new AssertionError("waited");
        });

        pace.await(1);
        pace.await(Long.MAX_VALUE);
        assertThat(pace.isMax()).isTrue();
    }

    @Test
    void speedsAreWrittenSo() {
        assertThat(Pace.parse("max")).isEqualTo(Pace.MAX);
        assertThat(Pace.parse("1")).isEqualTo(1);
        assertThat(Pace.parse("10x")).isEqualTo(10);
        assertThat(Pace.parse("0.5X")).isEqualTo(0.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "0", "-1", "NaN", "Infinity", "10xx"})
    void otherSpeedsAreRefused(String text) {
        assertThatThrownBy(() -> Pace.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
