/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ChaosCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new ChaosCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void listsItsDrills() {
        assertThat(run("--list")).isZero();
        assertThat(out.toString()).contains("dead", "garbage", "restart").doesNotContain("null");
        assertThat(Drill.all().stream().map(Drill::name)).doesNotHaveDuplicates();
    }

    @Test
    void namesTheDrillsThatThereAre() {
        assertThat(run("--drill", "earthquake")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("earthquake", "flapping");
    }

    @Test
    void killsProcessesThatSaveAndLosesNothing() {
        assertThat(run("--kills", "2")).as(out.toString() + err).isZero();
        assertThat(out.toString()).contains("2 kills", "0 snapshots lost, 0 corrupt states");
    }
}
