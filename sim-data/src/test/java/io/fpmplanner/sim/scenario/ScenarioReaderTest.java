/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.sim.fleet.Fault;
import io.fpmplanner.sim.workload.Request;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {
    private static final String GOOD = """
            # A comment
            title = Steps up, then silence
            topologies = agg, disagg
            engine = llama-8b-l40s
            arrival_seconds = 60
            arrivals = steps at=0:2,20:10,40:0
            input_tokens = lognormal median=1000 sigma=0.5 lowest=64 highest=8000
            output_tokens = fixed tokens=100
            fault = telemetry-outage from=10 to=20  # one of several
            fault = telemetry-outage from=30 to=35
            """;

    private final ScenarioReader reader = new ScenarioReader(Optional.empty());

    private static PlannedFault outage(double from, double to) {
        return new PlannedFault(Fault.Kind.TELEMETRY_OUTAGE, Optional.empty(), from, to, 0, 0);
    }

    @Test
    void readsAllThatStandsThere() throws ScenarioException {
        Scenario scenario = reader.read("mine", GOOD);

        assertThat(scenario.name()).isEqualTo("mine");
        assertThat(scenario.fleet().topologies())
                .containsExactlyInAnyOrder(Topology.AGGREGATED, Topology.DISAGGREGATED);
        assertThat(scenario.timing().seconds()).isEqualTo(90);
        assertThat(scenario.faults()).containsExactly(outage(10, 20), outage(30, 35));
        List<Request> requests = scenario.workload().requests(0, 60, 7);
        assertThat(requests).allMatch(request -> request.outputTokens() == 100);
        assertThat(requests).allMatch(request -> request.arrivalNanos() < 40_000_000_000L);
        assertThat(requests.stream().filter(request -> request.arrivalNanos() >= 20_000_000_000L))
                .hasSizeBetween(140, 260);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "arrival_seconds = 60 | arrival_seconds = sixty | line 5: 'sixty' is no whole number",
                "arrival_seconds = 60 | arrival_seconds = 0 | line 5: a run takes 1 to 86400 s",
                "arrival_seconds = 60 | arrival_secs = 60 | 'arrival_seconds' is missing",
                "engine = llama-8b-l40s | engine = abacus | line 4: there is no engine 'abacus'",
                "engine = llama-8b-l40s | engine | line 4: a line must read 'key = value'",
                "engine = llama-8b-l40s | engine = | line 4: 'engine' has no value",
                "agg, disagg | agg, both | line 3: topologies are agg and disagg, not 'both'",
                "at=0:2,20:10,40:0 | at=0:2,20:-1 | line 6: a rate must be finite",
                "at=0:2,20:10,40:0 | at=0:2,20:Infinity | line 6: 'Infinity' is no finite number",
                "at=0:2,20:10,40:0 | at=0:2,20:10,15:3 | line 6: steps must follow one another",
                "at=0:2,20:10,40:0 | at=5:2 | line 6: the first step must begin at 0 s",
                "at=0:2,20:10,40:0 | from=0:2 | line 6: 'steps' needs at=",
                "steps at=0:2,20:10,40:0 | square low=1 high=2 period=3 phase=4 | line 6: 'square' knows no 'phase'",
                "steps at=0:2,20:10,40:0 | staircase first=1 rise=1 every=0 | line 6: a staircase needs stairs",
                "steps at=0:2,20:10,40:0 | flood | line 6: there are no arrivals 'flood'",
                "fixed tokens=100 | fixed tokens=1.5 | line 8: tokens must be a whole number",
                "fixed tokens=100 | fixed tokens=0 | line 8: lengths must satisfy",
                "from=10 to=20 | from=20 to=10 | line 9: a fault needs a beginning",
                "telemetry-outage from=30 | earthquake from=30 | line 10: there is no fault 'earthquake'",
                "telemetry-outage from=30 to=35 | crash from=9999 | line 10: the fault begins at 9999.0 s, when the run",
                "telemetry-outage from=30 to=35 | crash from=30 replica=99 | line 10: there is never a replica 99",
                "telemetry-outage from=30 to=35 | crash from=30 pool=gpu | line 10: there is no pool 'gpu', but",
                "title = | router = random\\ntitle = | line 2: 'router' must be one of",
                "title = | router = prefix-aware\\nprefix_caching = maybe\\ntitle = | line 3: 'prefix_caching' must be one of",
                "title = | warm_up = stalls steps=1 share=2 shortest=1 longest=2\\ntitle = | line 2: warm-up share must lie",
                "title = | replicas.initial = 9\\ntitle = | line 2: replicas must satisfy",
                "title = | colour = red\\ntitle = | line 2: nobody asks for 'colour' here",
                "title = | title = first\\ntitle = | line 3: 'title' stands in line 2 already",
            })
    void saysLineAndReasonOfWhatIsWrong(String part, String instead, String message) {
        String text = GOOD.replace(part, instead.replace("\\n", "\n"));
        assertThat(text).isNotEqualTo(GOOD);

        assertThatThrownBy(() -> reader.read("mine", text))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith("mine.scenario")
                .hasMessageContaining(message);
    }

    @Test
    void refusesLoadsThatNoRunCouldEnd() throws ScenarioException {
        Scenario scenario = reader.read("flood", GOOD.replace("20:10", "20:1e9"));

        assertThatThrownBy(() -> scenario.workload().requests(0, 60, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too many for one run");
    }

    @Test
    void tellsAMissingTraceFromAMistake() {
        String text = GOOD.replace("steps at=0:2,20:10,40:0", "trace file=absent.csv");

        assertThatThrownBy(() -> reader.read("mine", text))
                .isInstanceOf(MissingTraceException.class)
                .hasMessageContaining("absent.csv");
    }
}
