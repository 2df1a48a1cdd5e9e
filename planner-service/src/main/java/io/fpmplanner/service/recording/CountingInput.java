/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read through it. Not threadsafe. */
final class CountingInput extends FilterInputStream {
    private long count;

    CountingInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count += next < 0 ? 0 : 1;
        return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count += Math.max(0, read);
        return read;
    }
}
