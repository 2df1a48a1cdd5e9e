/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NatsSubjectTest {
    @ParameterizedTest
    @CsvSource({
        "a.b, a.b, true",
        "a.b, a.c, false",
        "a.b, a, false",
        "a.*, a.b, true",
        "a.*, a.b.c, false",
        "a.>, a.b.c, true",
        "a.>, a, false",
        "*.b, a.*, true",
        "a.*.c, *.b.>, true",
        "a.*.c, *.b.d, false",
        ">, x.y, true",
    })
    void overlaps(String one, String other, boolean expected) {
        assertThat(new NatsSubject(one).overlaps(new NatsSubject(other))).isEqualTo(expected);
        assertThat(new NatsSubject(other).overlaps(new NatsSubject(one))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a b", "a.>.b", "a*", "a.b>", "a\n"})
    void refuses(String text) {
        assertThatThrownBy(() -> new NatsSubject(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NATS subject");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nats://127.0.0.1:4222/namespace.*.component.backend.>",
                "nats://[::1]:4222/namespace.a%2Eb.component.c.endpoint.e.forward-pass-metrics",
                "ndjson+unix:///run/planner/fpm.sock",
                "http",
            })
    void entriesAreReadAsTheyAreWritten(String entry) {
        assertThat(SourceSpec.parse(entry)).hasToString(entry);
        assertThat(SourceSpec.parse(SourceSpec.parse(entry).toString())).isEqualTo(SourceSpec.parse(entry));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nats://127.0.0.1:4222",
                "nats://127.0.0.1:4222/",
                "nats://127.0.0.1:4222-4223/a",
                "nats://127.0.0.1/a",
                "ndjson+unix://run/fpm.sock",
                "ndjson+unix:///",
                "ndjson+unix:///run/",
                "http://127.0.0.1:8080",
                "https",
            })
    void otherEntriesAreRefused(String entry) {
        assertThatThrownBy(() -> SourceSpec.parse(entry)).isInstanceOf(IllegalArgumentException.class);
    }
}
