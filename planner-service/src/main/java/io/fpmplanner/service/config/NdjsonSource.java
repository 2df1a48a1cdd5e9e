/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Dynamo's export of forward-pass metrics, NDJSON over a Unix-domain socket on which we listen: {@code
 * ndjson+unix:///PATH}.
 *
 * @param path the socket's file, absolute and without detours; at most 107 bytes, a limit of the operating system
 */
public record NdjsonSource(Path path) implements SourceSpec {
    private static final int MAX_PATH_BYTES = 107;

    public NdjsonSource {
        path = path.normalize();
        if (!path.isAbsolute() || path.getFileName() == null) {
            throw new IllegalArgumentException("the path of a socket must be absolute, was '" + path + "'");
        }
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
            throw new IllegalArgumentException(
                    "the path of a socket must have at most " + MAX_PATH_BYTES + " bytes, was '" + path + "'");
        }
    }

    static NdjsonSource parse(String rest) {
        if (!rest.startsWith("/") || rest.endsWith("/")) {
            throw SourceScheme.NDJSON.malformed(rest);
        }
        try {
            return new NdjsonSource(Path.of(rest));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + rest + "' is no path: " + e.getReason(), e);
        }
    }

    @Override
    public int endpoints() {
        return 1;
    }

    @Override
    public Set<String> keys() {
        return Set.of("unix:" + path);
    }

    @Override
    public boolean overlaps(SourceSpec other) {
        return equals(other);
    }

    @Override
    public String toString() {
        return SourceScheme.NDJSON.prefix() + path;
    }
}
