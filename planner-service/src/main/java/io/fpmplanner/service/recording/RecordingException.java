/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

/** A file that is no recording, with the place and the reason. */
public final class RecordingException extends Exception {
    private final String file;
    private final int line;
    private final String reason;

    /** {@code line} counts from 1; 0 if the file as a whole is meant. */
    RecordingException(String file, int line, String reason) {
        super(line == 0 ? file + ": " + reason : file + ":" + line + ": " + reason);
        this.file = file;
        this.line = line;
        this.reason = reason;
    }

    public String file() {
        return file;
    }

    /** Counts from 1; 0 if the file as a whole is meant. */
    public int line() {
        return line;
    }

    public String reason() {
        return reason;
    }
}
