/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * One line per event: {@code time=... level=... event="..." key=value ...}.
 *
 * <p>Whatever stands in a value, it cannot start a new line or a new key: control characters are escaped and values with
 * blanks, quotes or equals signs are quoted. A throwable becomes {@code error=} and {@code stack=}.
 */
public final class LogfmtLayout extends LayoutBase<ILoggingEvent> {
    private static final int MAX_VALUE_CHARS = 2_000;
    private static final int MAX_STACK_FRAMES = 20;

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(256);
        Instant time = Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS);
        line.append("time=").append(time).append(" level=").append(event.getLevel());
        pair(line, "event", event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                pair(line, pair.key, String.valueOf(pair.value));
            }
        }
        if (!event.getLoggerName().startsWith("io.fpmplanner")) {
            pair(line, "logger", event.getLoggerName());
        }
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            pair(line, "error", describe(thrown));
            pair(line, "stack", stack(thrown));
        }
        return line.append(System.lineSeparator()).toString();
    }

    private static String describe(IThrowableProxy thrown) {
        String text = thrown.getClassName() + ": " + thrown.getMessage();
        return thrown.getCause() == null ? text : text + " <- " + describe(thrown.getCause());
    }

    private static String stack(IThrowableProxy thrown) {
        StringBuilder frames = new StringBuilder();
        StackTraceElementProxy[] elements = thrown.getStackTraceElementProxyArray();
        for (int i = 0; i < Math.min(elements.length, MAX_STACK_FRAMES); i++) {
            frames.append(i == 0 ? "" : " < ").append(elements[i].getStackTraceElement());
        }
        return frames.toString();
    }

    private static void pair(StringBuilder line, String key, @Nullable String value) {
        line.append(' ').append(key).append('=');
        String text = value == null ? "null" : value;
        if (text.length() > MAX_VALUE_CHARS) {
            text = text.substring(0, MAX_VALUE_CHARS) + "...";
        }
        boolean plain = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c != '"' && c != '=' && c < 0x7f);
        if (plain) {
            line.append(text);
        } else {
            quote(line, text);
        }
    }

    private static void quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> ControlCharacters.append(line, c);
            }
        }
        line.append('"');
    }
}
