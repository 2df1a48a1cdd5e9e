/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A line on a terminal that is drawn anew a few times a second. Not threadsafe. */
final class ProgressBar {
    private static final int WIDTH = 30;
    private static final int LINE_WIDTH = 100;
    private static final long REDRAW_NANOS = 200_000_000;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Asking for the time at each frame would cost more than the frame. */
    private static final int FRAMES_PER_LOOK = 256;

    private final PrintWriter terminal;
    private final LongSupplier nanoTime;
    private final String name;
    private final boolean everyFrame;
    private final long startNanos;
    private long drawnNanos;
    private long frames;
    private boolean drawn;

    /** {@code everyFrame}: frames come slowly, so that each is a reason to look at the time. */
    ProgressBar(PrintWriter terminal, LongSupplier nanoTime, String name, boolean everyFrame) {
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.name = name;
        this.everyFrame = everyFrame;
        this.startNanos = nanoTime.getAsLong();
        this.drawnNanos = startNanos;
    }

    /** One frame more; so many bytes of the file are used up. */
    void advance(long bytes, long ofBytes) {
        frames++;
        if (!everyFrame && frames % FRAMES_PER_LOOK != 0) {
            return;
        }
        long nowNanos = nanoTime.getAsLong();
        if (nowNanos - drawnNanos >= REDRAW_NANOS) {
            drawnNanos = nowNanos;
            draw((double) bytes / Math.max(1, ofBytes), nowNanos);
        }
    }

    private void draw(double share, long nowNanos) {
        drawn = true;
        double seconds = (nowNanos - startNanos) / NANOS_PER_SECOND;
        int full = (int) Math.round(Math.min(1, share) * WIDTH);
        String text = String.format(
                Locale.ROOT,
                "%s [%s%s] %3.0f %%  %,d frames  %,.0f/s  %.0f s left",
                name,
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                100 * share,
                frames,
                frames / seconds,
                share > 0 ? seconds / share - seconds : 0);
        terminal.print("\r" + pad(text));
        terminal.flush();
    }

    /** Takes the line away. */
    void clear() {
        if (drawn) {
            terminal.print("\r" + pad("") + "\r");
            terminal.flush();
        }
    }

    private static String pad(String text) {
        return text.length() >= LINE_WIDTH ? text : text + " ".repeat(LINE_WIDTH - text.length());
    }
}
