/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import io.fpmplanner.service.backtest.BacktestCommand;
import io.fpmplanner.service.bench.BenchCommand;
import io.fpmplanner.service.chaos.ChaosCommand;
import io.fpmplanner.service.demo.DemoCommand;
import io.fpmplanner.service.record.RecordCommand;
import io.fpmplanner.service.relay.RelayCommand;
import io.fpmplanner.service.replay.ReplayCommand;
import io.fpmplanner.service.simulate.SimulateCommand;
import io.fpmplanner.service.step.StepCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The whole {@code planner} command line, as picocli describes and parses it. */
@Command(
        name = "planner",
        description =
                "Predicts TTFT and ITL of LLM inference fleets from per-forward-pass metrics and recommends replicas.",
        mixinStandardHelpOptions = true,
        versionProvider = PlannerCommand.Version.class,
        footer = {
            "",
            "From a checkout, ./planner archive makes an archive of loaded classes beside the jar; serve and demo then "
                    + "start in about half the time.",
            "Exit codes: 0 success, 1 failure while running, 2 wrong usage, configuration or input."
        })
public final class PlannerCommand implements Runnable {
    /** In the order in which they are listed. */
    private static final List<String> COMMANDS = List.of(
            "serve",
            "demo",
            "check-config",
            "chaos",
            "record",
            "relay",
            "replay",
            "backtest",
            "simulate",
            "step",
            "bench",
            "train",
            "help");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private PlannerCommand() {}

    /** Runs the command as its process and returns what to exit with. */
    static int run(String[] arguments) {
        return execute(commandLine(arguments), System.out, arguments);
    }

    /** Runs the command; a success whose report could not be written, to a full disk say, is a failure. */
    static int execute(CommandLine line, PrintStream out, String... arguments) {
        try {
            int code = line.execute(arguments);
            if (code == CommandLine.ExitCode.OK && out.checkError()) {
                line.getErr().println("planner: standard output cannot be written");
                line.getErr().flush();
                return Main.FAILURE;
            }
            return code;
        } catch (Error fault) {
            // As in Serving: threads of Vert.x would keep the process alive.
            fault.printStackTrace();
            return Main.FAILURE;
        }
    }

    /** The whole command line, for running it in-process. */
    public static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    /* To describe a command takes picocli 10 to 20 ms, so that only the one that is called is described. */
    private static CommandLine commandLine(String[] arguments) {
        return arguments.length > 0 && COMMANDS.contains(arguments[0]) && !arguments[0].equals("help")
                ? commandLine(List.of(arguments[0]))
                : commandLine(COMMANDS);
    }

    private static CommandLine commandLine(List<String> commands) {
        CommandLine line = new CommandLine(new PlannerCommand());
        commands.forEach(name -> line.addSubcommand(name, command(name)));
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().versionProvider(new Version()));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(PlannerCommand::explainUsage)
                .setExecutionExceptionHandler(PlannerCommand::explainFailure);
    }

    private static Object command(String name) {
        return switch (name) {
            case "serve" -> new ServeCommand();
            case "demo" -> new DemoCommand();
            case "check-config" -> new CheckConfigCommand();
            case "chaos" -> new ChaosCommand();
            case "record" -> new RecordCommand();
            case "relay" -> new RelayCommand();
            case "replay" -> new ReplayCommand();
            case "backtest" -> new BacktestCommand();
            case "simulate" -> new SimulateCommand();
            case "step" -> new StepCommand();
            case "bench" -> new BenchCommand();
            case "train" -> new TrainCommand();
            case "help" -> new CommandLine.HelpCommand();
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command.");
    }

    private static int explainUsage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("planner: " + problem.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(problem, err);
        command.usage(err);
        return Main.BAD_INPUT;
    }

    private static int explainFailure(Exception problem, CommandLine command, CommandLine.ParseResult result) {
        String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
        command.getErr().println("planner: " + message);
        if (Boolean.getBoolean("planner.stacktrace")) {
            problem.printStackTrace(command.getErr());
        }
        return Main.FAILURE;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = PlannerCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "fpm-planner " + (version == null ? "(unpackaged)" : version),
                "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
            };
        }
    }
}
