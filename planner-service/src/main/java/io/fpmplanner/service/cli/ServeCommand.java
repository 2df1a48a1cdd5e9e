/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the service until it is told to stop. */
@Command(
        name = "serve",
        description = "Runs the service: subscribes to the sources and answers on the REST interface.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return Serving.serve(options, spec.commandLine().getErr());
    }
}
