/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls, under the profile {@code fuzz}; the only argument is the name of a {@link FuzzTarget}. Nothing here needs
 * Jazzer to be compiled.
 */
public final class JazzerTarget {
    private static @Nullable FuzzTarget target;

    private JazzerTarget() {}

    /** Called once. */
    public static void fuzzerInitialize(String[] arguments) throws IOException {
        target = FuzzTarget.named(arguments[0]);
    }

    /** Called with each input; whatever it throws is a finding. */
    public static void fuzzerTestOneInput(byte[] data) throws Exception {
        target.reader().read(data);
    }

    /** Writes the inputs that each target starts from below a directory: {@code JazzerTarget DIRECTORY}. */
    public static void main(String[] arguments) throws IOException {
        for (FuzzTarget each : FuzzTarget.all()) {
            Path directory = Files.createDirectories(Path.of(arguments[0]).resolve(each.directory()));
            int number = 0;
            for (byte[] seed : each.seeds()) {
                Files.write(directory.resolve("seed-" + number++), seed);
            }
            System.out.println(each.directory());
        }
    }
}
