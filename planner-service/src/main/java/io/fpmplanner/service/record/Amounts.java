/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.record;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How people write times and sizes on the command line. */
final class Amounts {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]*)");
    private static final Map<String, Double> SECONDS =
            Map.of("", 1.0, "s", 1.0, "m", 60.0, "h", 3_600.0, "d", 86_400.0);
    private static final Map<String, Double> BYTES = Map.of(
            "", 1.0, "k", 1e3, "m", 1e6, "g", 1e9, "ki", 1024.0, "mi", 1024.0 * 1024, "gi", 1024.0 * 1024 * 1024);
    private static final double NANOS_PER_SECOND = 1e9;

    private Amounts() {}

    /** {@code 90}, {@code 90s}, {@code 15m}, {@code 2h}, {@code 1d}. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String value) {
            return Duration.ofNanos(
                    (long) (amount(value, SECONDS, "a time such as 90s, 15m or 2h") * NANOS_PER_SECOND));
        }
    }

    /** {@code 1000000}, {@code 500M}, {@code 2G}, {@code 1Gi}, with or without B. */
    static final class SizeConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            return (long) amount(value.replaceFirst("(?<=[a-zA-Z])[bB]$", ""), BYTES, "a size such as 500M, 2G or 1Gi");
        }
    }

    private static double amount(String text, Map<String, Double> units, String expected) {
        Matcher matcher = FORM.matcher(text.strip());
        if (matcher.matches()) {
            Double unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
            double value = Double.parseDouble(matcher.group(1));
            if (unit != null && value > 0) {
                return value * unit;
            }
        }
        throw new TypeConversionException("must be " + expected + ", was '" + text + "'");
    }
}
