/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The few things that are done to files, so that tests can fail or die at any of them. */
interface Disk {
    /** The real one. */
    Disk REAL = new Disk() {
        @Override
        public byte[] read(Path file, long mostBytes) throws IOException {
            long size = Files.size(file);
            if (size > mostBytes) {
                throw new IOException(file + " has " + size + " bytes; at most " + mostBytes + " are read");
            }
            return Files.readAllBytes(file);
        }

        @Override
        public void write(Path file, byte[] content) throws IOException {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
        }

        @Override
        public boolean move(Path from, Path to) throws IOException {
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                return true;
            } catch (NoSuchFileException | FileNotFoundException e) {
                return false;
            }
        }

        @Override
        public void sync(Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    };

    /**
     * The whole of a file.
     *
     * @throws NoSuchFileException if there is none
     */
    byte[] read(Path file, long mostBytes) throws IOException;

    /** Writes a file anew and returns when its content is on the disk. */
    void write(Path file, byte[] content) throws IOException;

    /** Gives a file another name, in place of any that has it, at once or not at all; false if there is none. */
    boolean move(Path from, Path to) throws IOException;

    /** Returns when the names in a directory are on the disk. */
    void sync(Path directory) throws IOException;
}
