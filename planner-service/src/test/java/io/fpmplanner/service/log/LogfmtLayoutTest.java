/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogfmtLayoutTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void anEventIsOneLineOfPairs() {
        String line = line("endpoint connected", null, new KeyValuePair("endpoint", "tcp://10.0.0.7:20380"));

        assertThat(line)
                .isEqualTo("time=2026-01-02T03:04:05.006Z level=WARN event=\"endpoint connected\""
                        + " endpoint=tcp://10.0.0.7:20380" + System.lineSeparator());
    }

    @Test
    void aValueCannotForgeALineOrAPair() {
        String line = line("x", null, new KeyValuePair("worker", "a\nlevel=INFO event=\"fake\"\r\u2028\u0007\\"));

        assertThat(line.strip()).hasLineCount(1);
        assertThat(line).contains("worker=\"a\\nlevel=INFO event=\\\"fake\\\"\\r\\u2028\\u0007\\\\\"");
    }

    @Test
    void longValuesAreCutAndThrowablesStayOnTheLine() {
        String line = line(
                "failed",
                new IllegalStateException("a\nb", new RuntimeException("root")),
                new KeyValuePair("long", "y".repeat(5_000)));

        assertThat(line.strip()).hasLineCount(1);
        assertThat(line)
                .contains("error=\"java.lang.IllegalStateException: a\\nb <- java.lang.RuntimeException: root\"")
                .contains("stack=")
                .hasSizeLessThan(8_000);
    }

    private String line(String message, Throwable thrown, KeyValuePair pair) {
        LoggingEvent event = new LoggingEvent(
                "fqcn", context.getLogger("io.fpmplanner.service.Some"), Level.WARN, message, thrown, new Object[0]);
        event.setInstant(Instant.parse("2026-01-02T03:04:05.006Z"));
        event.addKeyValuePair(pair);
        return new LogfmtLayout().doLayout(event);
    }
}
