/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Tells what came of drills, one line each as they end, or one JSON document at the end. One thread. */
final class ChaosReport {
    private final PrintWriter out;
    private final boolean json;
    private final ObjectNode document = JsonNodeFactory.instance.objectNode();
    private final ArrayNode drills = document.putArray("drills");
    private int held;

    /**
     * What came of one drill.
     *
     * @param drill which
     * @param seen statuses and reasons while it lasted
     * @param plans made while it lasted
     * @param tooFew of these that recommended fewer replicas than are needed
     * @param recoverySeconds from its end
     * @param figure worth telling, or an empty text
     * @param held whether everything was as expected
     */
    record Row(
            Drill drill,
            List<String> seen,
            long plans,
            long tooFew,
            double recoverySeconds,
            String figure,
            boolean held) {
        Row {
            seen = List.copyOf(seen);
        }
    }

    ChaosReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void begin(double warmUpSeconds) {
        document.put("replicas", Arena.REPLICAS).put("warmUpSeconds", warmUpSeconds);
        if (json) {
            return;
        }
        out.printf(Locale.ROOT, "%d replicas, all needed; decided after %.1f s%n%n", Arena.REPLICAS, warmUpSeconds);
        out.printf(
                "%-14s | %-38s | %-26s | %-64s | %8s | %7s | %s%n",
                "drill", "fault", "expected", "seen", "recovery", "too few", "");
        out.flush();
    }

    void add(Row row) {
        held += row.held() ? 1 : 0;
        ObjectNode node = drills.addObject()
                .put("drill", row.drill().name())
                .put("fault", row.drill().what())
                .put("expected", row.drill().expected());
        ArrayNode seen = node.putArray("seen");
        row.seen().forEach(seen::add);
        node.put("plans", row.plans())
                .put("tooFew", row.tooFew())
                .put("recoverySeconds", row.recoverySeconds())
                .put("recoveryLimitSeconds", row.drill().recoverySeconds())
                .put("figure", row.figure())
                .put("held", row.held());
        if (json) {
            return;
        }
        out.printf(
                Locale.ROOT,
                "%-14s | %-38s | %-26s | %-64s | %6.1f s | %7d | %s%n",
                row.drill().name(),
                row.drill().what(),
                row.drill().expected(),
                String.join(" ", row.seen()),
                row.recoverySeconds(),
                row.tooFew(),
                (row.held() ? "held" : "NOT HELD") + (row.figure().isEmpty() ? "" : "; " + row.figure()));
        out.flush();
    }

    /** Whether all held. */
    boolean end() {
        document.put("held", held).put("of", drills.size());
        if (json) {
            out.println(document.toPrettyString());
        } else {
            out.printf("%n%d of %d drills held%n", held, drills.size());
        }
        out.flush();
        return held == drills.size();
    }
}
