/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number in the notation of the Kubernetes API, such as {@code 7}, {@code 1500m} or {@code 1Ki}. Immutable.
 *
 * @param value the number; what is finer than a billionth is rounded away from zero
 * @param form how it is written
 */
public record Quantity(BigDecimal value, Form form) {
    /*
     * Source: the Kubernetes API conventions, checked against vectors made by its own Go code. Written, a decimal quantity is
     * a whole number and the suffix of a power of 1000, as few digits as possible.
     */
    private static final Pattern QUANTITY =
            Pattern.compile("([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+|(?=[+-])))([eEinumkKMGTP]*[-+]?[0-9]*)");

    private static final Pattern EXPONENT = Pattern.compile("[eE]([+-]?[0-9]{1,3})");
    private static final String DECIMAL_SUFFIXES = "num kMGTPE";
    private static final String BINARY_SUFFIXES = "KMGTPE";
    private static final int NANO = 9;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** Families of suffixes. */
    public enum Form {
        /** A letter for a power of 1000. */
        DECIMAL_SI,
        /** {@code e} and a power of 10. */
        DECIMAL_EXPONENT,
        /** Two letters for a power of 1024. */
        BINARY_SI
    }

    public Quantity {
        if (value.scale() > NANO) {
            value = value.setScale(NANO, RoundingMode.UP);
        }
    }

    /**
     * A finite number, rounded to thousandths.
     *
     * @throws IllegalArgumentException for NaN and infinities, which no quantity can tell
     */
    public static Quantity ofThousandths(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("no quantity is " + value);
        }
        return new Quantity(BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_EVEN), Form.DECIMAL_SI);
    }

    /**
     * Reads a quantity.
     *
     * @throws IllegalArgumentException in Kubernetes' words if it is none
     */
    public static Quantity parse(String text) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "quantities must match the regular expression" + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        Quantity unit = unit(matcher.group(2))
                .orElseThrow(() -> new IllegalArgumentException("unable to parse quantity's suffix"));
        return new Quantity(new BigDecimal(matcher.group(1)).multiply(unit.value()), unit.form());
    }

    /** One of that suffix, in its form. */
    private static Optional<Quantity> unit(String suffix) {
        if (suffix.isEmpty()) {
            return Optional.of(new Quantity(BigDecimal.ONE, Form.DECIMAL_SI));
        }
        Matcher exponent = EXPONENT.matcher(suffix);
        if (exponent.matches()) {
            int power = Integer.parseInt(exponent.group(1));
            return Optional.of(new Quantity(BigDecimal.ONE.scaleByPowerOfTen(power), Form.DECIMAL_EXPONENT));
        }
        int binary = suffix.length() == 2 && suffix.charAt(1) == 'i' ? BINARY_SUFFIXES.indexOf(suffix.charAt(0)) : -1;
        if (binary >= 0) {
            return Optional.of(new Quantity(KIBI.pow(binary + 1), Form.BINARY_SI));
        }
        int decimal = suffix.length() == 1 ? DECIMAL_SUFFIXES.indexOf(suffix.charAt(0)) : -1;
        return decimal < 0
                ? Optional.empty()
                : Optional.of(new Quantity(BigDecimal.ONE.scaleByPowerOfTen(3 * decimal - NANO), Form.DECIMAL_SI));
    }

    /** In thousandths, rounded away from zero as Kubernetes does. */
    public BigInteger milliValue() {
        return value.movePointRight(3).setScale(0, RoundingMode.UP).toBigIntegerExact();
    }

    /** The canonical text. */
    @Override
    public String toString() {
        if (value.signum() == 0) {
            return "0";
        }
        if (form == Form.BINARY_SI && isBinary()) {
            return binaryText(value.toBigIntegerExact());
        }
        // Trailing zeros become part of the exponent, which is then lowered to a multiple of three.
        BigDecimal shortest = value.stripTrailingZeros();
        int exponent = Math.floorDiv(-shortest.scale(), 3) * 3;
        if (form != Form.DECIMAL_EXPONENT) {
            exponent = Math.min(exponent, 3 * (DECIMAL_SUFFIXES.length() - 1) - NANO);
        }
        String mantissa = shortest.movePointLeft(exponent).toBigIntegerExact().toString();
        if (exponent == 0) {
            return mantissa;
        }
        return mantissa
                + (form == Form.DECIMAL_EXPONENT
                        ? "e" + exponent
                        : DECIMAL_SUFFIXES.substring((exponent + NANO) / 3, (exponent + NANO) / 3 + 1));
    }

    /** Whether a binary suffix can tell it: a whole number of at least 1024. */
    private boolean isBinary() {
        return value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(KIBI) >= 0;
    }

    private static String binaryText(BigInteger whole) {
        int power = Math.min(whole.getLowestSetBit() / 10, BINARY_SUFFIXES.length());
        return whole.shiftRight(10 * power) + (power == 0 ? "" : BINARY_SUFFIXES.charAt(power - 1) + "i");
    }
}
