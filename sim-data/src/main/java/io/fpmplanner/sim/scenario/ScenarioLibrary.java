/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The scenarios that come with the planner, as text. Threadsafe. */
public final class ScenarioLibrary {
    private static final List<String> NAMES = List.of(
            "flat",
            "staircase",
            "square-wave",
            "flash-crowd",
            "diurnal",
            "decode-heavy",
            "shared-prefix",
            "mooncake",
            "azure-code",
            "azure-conversation",
            "queue-blind",
            "cold-poison",
            "traffic-stops",
            "telemetry-outage",
            "stuck-replica",
            "slow-worker",
            "crash",
            "oscillator",
            "oscillator-pair");

    private ScenarioLibrary() {}

    /** Their names in the order of the board. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The text of one.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static String text(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("there is no scenario '" + name + "'");
        }
        try (InputStream resource = ScenarioLibrary.class.getResourceAsStream(name + ".scenario")) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
