/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.sim.board.RunCase;
import io.fpmplanner.sim.board.RunResult;
import io.fpmplanner.sim.board.RunScore;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The board for programs: an array with one object a run, each on a line of its own. */
final class BoardJson {
    private BoardJson() {}

    static String of(List<RunResult> results) {
        return results.stream().map(result -> row(result).toString()).collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private static ObjectNode row(RunResult result) {
        RunCase run = result.runCase();
        RunScore score = result.score();
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.put("scenario", run.scenario().name());
        row.put("topology", run.topology().word());
        row.put("policy", run.policyId());
        row.put("seed", run.seed());
        row.put("goodRate", score.goodRate());
        row.put("goodputPerGpu", score.goodputPerGpu());
        row.put("gpuHours", score.gpuHours());
        put(row, "ttftP50Seconds", score.ttft().p50Seconds());
        put(row, "ttftP90Seconds", score.ttft().p90Seconds());
        put(row, "ttftP99Seconds", score.ttft().p99Seconds());
        put(row, "itlP50Seconds", score.itl().p50Seconds());
        put(row, "itlP90Seconds", score.itl().p90Seconds());
        put(row, "itlP99Seconds", score.itl().p99Seconds());
        row.put("scaleEvents", score.scaleEvents());
        row.put("reversals", score.reversals());
        return row;
    }

    private static void put(ObjectNode row, String field, OptionalDouble value) {
        if (value.isPresent()) {
            row.put(field, value.getAsDouble());
        } else {
            row.putNull(field);
        }
    }
}
