/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.IpcSource;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Finds the socket files that a pattern matches now. */
public final class SocketFiles {
    private SocketFiles() {}

    /**
     * The matching socket files in order of their names; other files are left out. A directory that cannot be read counts
     * as empty.
     *
     * @param most files beyond this number are left out
     */
    public static List<Path> matching(IpcSource source, int most) {
        List<Path> found = new ArrayList<>(List.of(Path.of("/")));
        for (String step : source.steps()) {
            List<Path> next = new ArrayList<>();
            for (Path directory : found) {
                if (IpcSource.isPattern(step)) {
                    addMatching(directory, step, next, most);
                } else {
                    next.add(directory.resolve(step));
                }
            }
            found = next;
        }
        return found.stream().filter(SocketFiles::isSocket).sorted().limit(most).toList();
    }

    private static void addMatching(Path directory, String pattern, List<Path> into, int most) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            for (Path entry : entries) {
                if (into.size() >= most) {
                    return;
                }
                into.add(entry);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Not there, or not for us to read: it may be there next time.
        }
    }

    /** When a file was made, in nanoseconds since the Unix epoch; empty if there is none. */
    static OptionalLong boundNanos(Path file) {
        try {
            FileTime made =
                    Files.readAttributes(file, BasicFileAttributes.class).lastModifiedTime();
            return OptionalLong.of(made.to(TimeUnit.NANOSECONDS));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Neither a file, a directory nor a link to one; the few devices and pipes that are left refuse a connection. */
    private static boolean isSocket(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).isOther();
        } catch (IOException e) {
            return false;
        }
    }
}
