/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.board.Board;
import io.fpmplanner.sim.board.BoardText;
import io.fpmplanner.sim.board.Standings;
import io.fpmplanner.sim.policy.Contender;
import io.fpmplanner.sim.scenario.MissingTraceException;
import io.fpmplanner.sim.scenario.Scenario;
import io.fpmplanner.sim.scenario.ScenarioException;
import io.fpmplanner.sim.scenario.ScenarioLibrary;
import io.fpmplanner.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The board as it stands, so that a change of engines, policies or planner shows in a diff what it does to each scenario. All
 * scenarios that need no recording, all policies that know no future, one seed. To write it anew:
 *
 * <pre>mvn test -pl planner-service -am -Dtest=GoldenBoardTest -Dsurefire.failIfNoSpecifiedTests=false -Dfpm.golden=write</pre>
 */
class GoldenBoardTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/fpmplanner/service/simulate/board.txt");

    @Test
    void theBoardIsAsWritten() throws IOException, ScenarioException {
        List<Contender> contenders =
                Contenders.all().stream().filter(Contender::real).toList();
        Board board = new Board(scenarios(), contenders, List.of(1L));
        String text = BoardText.of(Standings.of(board.play(2, result -> {}), contenders));

        if ("write".equals(System.getProperty("fpm.golden"))) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, text);
        }
        assertThat(text.lines())
                .as("the board; see this test for how to write it anew")
                .containsExactlyElementsOf(Files.readAllLines(GOLDEN));
    }

    private static List<Scenario> scenarios() throws ScenarioException {
        ScenarioReader reader = new ScenarioReader(Optional.empty());
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : ScenarioLibrary.names()) {
            try {
                scenarios.add(reader.read(name, ScenarioLibrary.text(name)));
            } catch (MissingTraceException e) {
                // Recordings are not part of the repository.
            }
        }
        return scenarios;
    }
}
