/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a row has measured, by name, in the order in which it is shown. */
final class Figures {
    private final Map<String, Double> values = new LinkedHashMap<>();

    Figures put(String name, double value) {
        values.put(name, value);
        return this;
    }

    /** Adds it unless it is NaN: this machine does not tell. */
    Figures putKnown(String name, double value) {
        return Double.isNaN(value) ? this : put(name, value);
    }

    Figures count(String name, long value) {
        return put(name, (double) value);
    }

    Map<String, Double> values() {
        return values;
    }
}
