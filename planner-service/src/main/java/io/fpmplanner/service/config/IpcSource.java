/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * ZeroMQ publishers on Unix-domain sockets of this machine, as SGLang offers them: {@code ipc:///run/fpm.0}, or a pattern
 * such as {@code ipc:///run/fpm.*} that stands for all socket files it matches.
 *
 * @param path absolute path; each of its steps may be a glob with {@code *}, {@code ?}, {@code [...]} and {@code {a,b}}
 */
public record IpcSource(String path) implements SourceSpec {
    /** What fits into the address of a Unix-domain socket, without its final zero byte. */
    private static final int MOST_PATH_BYTES = 107;

    public IpcSource {
        if (!path.startsWith("/") || path.endsWith("/") || path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "path must be absolute and name a file, was '" + path.replaceAll("\\p{Cntrl}", "?") + "'");
        }
        if (!isPattern(path) && path.getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
            throw new IllegalArgumentException(
                    "path must have at most " + MOST_PATH_BYTES + " bytes, as a socket's address, was " + path);
        }
        for (String step : path.split("/", -1)) {
            try {
                FileSystems.getDefault().getPathMatcher("glob:" + step);
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "path has a pattern that cannot be read, '" + step + "': " + e.getDescription(), e);
            }
        }
    }

    static IpcSource parse(String rest) {
        if (rest.startsWith("@")) {
            throw new IllegalArgumentException(
                    SourceScheme.IPC.malformed(rest).getMessage() + " (abstract sockets are not supported)");
        }
        if (!rest.startsWith("/")) {
            throw SourceScheme.IPC.malformed(rest);
        }
        return new IpcSource(rest);
    }

    /** The steps of the path, without the root. */
    public List<String> steps() {
        return List.of(path.substring(1).split("/+"));
    }

    /** Whether the path or one of its steps stands for what it matches rather than for itself. */
    public static boolean isPattern(String pathOrStep) {
        return pathOrStep.chars().anyMatch(c -> "*?[{\\".indexOf(c) >= 0);
    }

    @Override
    public int endpoints() {
        return 1;
    }

    @Override
    public Set<String> keys() {
        return Set.of("ipc");
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return other instanceof IpcSource ipc && (path.equals(ipc.path) || matches(ipc.path) || ipc.matches(path));
    }

    /** Two patterns that match the same files cannot be told in general; at run time a file belongs to the first. */
    private boolean matches(String literal) {
        return isPattern(path)
                && !isPattern(literal)
                && FileSystems.getDefault().getPathMatcher("glob:" + path).matches(java.nio.file.Path.of(literal));
    }

    @Override
    public String toString() {
        return SourceScheme.IPC.prefix() + path;
    }
}
