/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The newest state and the one before it, in one directory. Whenever the process is killed, one of the two is whole. Not
 * threadsafe.
 */
final class StateFiles {
    /*
     * A file is one line, "fpm-planner-state VERSION BYTES SHA-256", and so many bytes. It is written under another name,
     * synced, and then takes the place of the newest, which becomes the previous one. Between the two renames there is
     * no newest, but a previous one.
     */
    static final int VERSION = 1;
    static final String NEWEST = "planner.state";
    static final String PREVIOUS = "planner.state.previous";
    private static final String NEXT = "planner.state.next";
    private static final String MAGIC = "fpm-planner-state";
    private static final int LONGEST_HEADER = 160;
    private static final long MOST_BYTES = 256L << 20;

    private final Path directory;
    private final Disk disk;

    StateFiles(Path directory, Disk disk) {
        this.directory = directory;
        this.disk = disk;
    }

    /**
     * What was found.
     *
     * @param content of the newest whole file, if any
     * @param complaints one sentence for each file that could not be used
     */
    record Found(Optional<byte[]> content, List<String> complaints) {
        Found {
            complaints = List.copyOf(complaints);
        }
    }

    Found load() {
        List<String> complaints = new ArrayList<>();
        for (String name : List.of(NEWEST, PREVIOUS)) {
            Path file = directory.resolve(name);
            try {
                return new Found(Optional.of(content(disk.read(file, MOST_BYTES))), complaints);
            } catch (OtherVersionException e) {
                complaints.add(file + " " + e.getMessage() + setAside(file, e.version));
            } catch (NoSuchFileException e) {
                // The first start, or killed between two renames: nothing to complain of.
            } catch (IOException e) {
                complaints.add(file + ": " + e.getMessage());
            }
        }
        return new Found(Optional.empty(), complaints);
    }

    /** So that going back to the other version finds what it knew. */
    private String setAside(Path file, String version) {
        Path aside = directory.resolve(file.getFileName() + ".version-" + version);
        try {
            return disk.move(file, aside) ? "; kept as " + aside.getFileName() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Replaces the newest; whatever fails, it or the one before is whole. */
    void save(byte[] content) throws IOException {
        byte[] header = (MAGIC + " " + VERSION + " " + content.length + " " + digest(content) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] whole = Arrays.copyOf(header, header.length + content.length);
        System.arraycopy(content, 0, whole, header.length, content.length);
        Path next = directory.resolve(NEXT);
        disk.write(next, whole);
        disk.move(directory.resolve(NEWEST), directory.resolve(PREVIOUS));
        disk.move(next, directory.resolve(NEWEST));
        disk.sync(directory);
    }

    private static byte[] content(byte[] whole) throws IOException {
        int end = 0;
        while (end < Math.min(whole.length, LONGEST_HEADER) && whole[end] != '\n') {
            end++;
        }
        String[] words = new String(whole, 0, end, StandardCharsets.US_ASCII).split(" ", -1);
        if (end == whole.length || words.length < 2 || !words[0].equals(MAGIC)) {
            throw new IOException("is torn or no state of a planner");
        }
        if (!words[1].equals(Integer.toString(VERSION))) {
            throw new OtherVersionException(words[1]);
        }
        byte[] content = Arrays.copyOfRange(whole, end + 1, whole.length);
        if (words.length != 4 || !words[2].equals(Integer.toString(content.length))) {
            throw new IOException("is torn: " + content.length + " bytes follow its first line");
        }
        if (!words[3].equals(digest(content))) {
            throw new IOException("is damaged: its checksum does not match");
        }
        return content;
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A file of a planner of another version. */
    private static final class OtherVersionException extends IOException {
        private static final long serialVersionUID = 1L;
        private final String version;

        OtherVersionException(String version) {
            super("is of version " + version.replaceAll("[^0-9A-Za-z.-]", "?") + ", this planner reads version "
                    + VERSION);
            this.version = version.replaceAll("[^0-9A-Za-z]", "_");
        }
    }
}
