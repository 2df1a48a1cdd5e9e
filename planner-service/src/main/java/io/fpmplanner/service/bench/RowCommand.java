/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The process of one row: prints its figures as one line of JSON. */
@Command(name = "row", hidden = true)
final class RowCommand implements Callable<Integer> {
    @Parameters(index = "0")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Row row;

    @Option(names = "--warm-up", required = true)
    private double warmUpSeconds;

    @Option(names = "--seconds", required = true)
    private double seconds;

    @Option(names = "--scale", required = true)
    private double scale;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Figures figures = row.take(new Effort(warmUpSeconds, seconds, scale));
        PrintWriter out = spec.commandLine().getOut();
        out.println(new ObjectMapper().writeValueAsString(figures.values()));
        out.flush();
        return 0;
    }
}
