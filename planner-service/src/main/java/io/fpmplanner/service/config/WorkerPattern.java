/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

/**
 * Worker ids that are allowed: one, or with {@code *} for any characters, many.
 *
 * @param text as written, 1 to 256 characters
 */
public record WorkerPattern(String text) {
    private static final int LONGEST = 256;

    public WorkerPattern {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new IllegalArgumentException("must be a worker id or a pattern such as vllm-*, 1 to " + LONGEST
                    + " characters, was '" + text + "'");
        }
    }

    /** Whether it allows the worker. Takes time in proportion to both lengths at most. */
    public boolean matches(String worker) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < worker.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < text.length() && text.charAt(at) == worker.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == '*') {
            at++;
        }
        return at == text.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
