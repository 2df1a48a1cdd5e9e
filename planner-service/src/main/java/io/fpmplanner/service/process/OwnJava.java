/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.process;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** How another process is started on the JDK and class path of this one. Threadsafe. */
public final class OwnJava {
    private OwnJava() {}

    /**
     * A command line, to which arguments may be added.
     *
     * @param options for its JVM; of this one's only those are handed down that allow access to memory
     * @param main the class to run
     */
    public static List<String> command(List<String> options, String main) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse(System.getProperty("java.home") + "/bin/java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--"))
                .forEach(command::add);
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main);
        return command;
    }
}
