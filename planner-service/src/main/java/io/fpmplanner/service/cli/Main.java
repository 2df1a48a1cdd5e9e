/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import java.util.List;
import java.util.Optional;

/**
 * Entry point of the {@code planner} command.
 *
 * <p>Exit codes: 0 for success, 1 for a failure while running, 2 for wrong usage, configuration or input.
 *
 * <p>The JVM resolves every type in the signatures of this class before it calls {@code main}, so none is of picocli's: to load
 * those takes a tenth of a second, and a plain {@code serve} needs none of them.
 */
public final class Main {
    /** A failure while running. */
    static final int FAILURE = 1;
    /** Wrong usage, configuration or input. */
    static final int BAD_INPUT = 2;

    private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

    private Main() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        System.setProperty("vertx.logger-delegate-factory-class-name", "io.vertx.core.logging.SLF4JLogDelegateFactory");
        // Nobody records Netty's events, and to define them takes as long as all of its channels.
        if (System.getProperty(NETTY_EVENTS) == null) {
            System.setProperty(NETTY_EVENTS, "false");
        }
        Optional<ConfigOptions> plain = arguments.length > 0 && arguments[0].equals("serve")
                ? ConfigOptions.plain(List.of(arguments).subList(1, arguments.length))
                : Optional.empty();
        System.exit(plain.isPresent() ? Serving.run(plain.get()) : PlannerCommand.run(arguments));
    }
}
