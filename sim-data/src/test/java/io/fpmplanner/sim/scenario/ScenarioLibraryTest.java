/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.workload.RecordedWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioLibraryTest {
    static Stream<String> names() {
        return ScenarioLibrary.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachCanBeReadAndBringsTraffic(String name) throws ScenarioException {
        Path traces = Path.of(System.getProperty("fpm.shared.data", "absent"), "traces");
        Scenario scenario;
        try {
            scenario = new ScenarioReader(Optional.of(traces)).read(name, ScenarioLibrary.text(name));
        } catch (MissingTraceException e) {
            Assumptions.assumeFalse(Files.isDirectory(traces), "a trace is missing: " + e.getMessage());
            Assumptions.abort("no recorded traces here");
            return;
        }
        int seconds = scenario.timing().arrivalSeconds();

        assertThat(scenario.title()).endsWith(".");
        assertThat(scenario.workload().requests(0, seconds, 1)).hasSizeGreaterThan(100);
        assertThat(scenario.workload().requests(0, seconds, 1))
                .isEqualTo(scenario.workload().requests(0, seconds, 1));
        if (!(scenario.workload() instanceof RecordedWorkload)) {
            assertThat(scenario.workload().requests(0, seconds, 2))
                    .isNotEqualTo(scenario.workload().requests(0, seconds, 1));
        }
    }
}
