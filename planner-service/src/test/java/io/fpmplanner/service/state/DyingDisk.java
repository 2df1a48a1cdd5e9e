/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A disk whose machine dies at a given step. What was not synced by then may be there, in part or not at all: content that
 * was written without a sync is any prefix of it, renames that were not synced happened or not, in order.
 */
final class DyingDisk implements Disk {
    private final SplittableRandom random;
    private Map<Path, byte[]> names = new HashMap<>();
    private final List<Map<Path, byte[]>> unsynced = new ArrayList<>();
    private int stepsLeft;

    DyingDisk(SplittableRandom random) {
        this.random = random;
        unsynced.add(Map.of());
    }

    static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void dieAfter(int steps) {
        stepsLeft = steps;
    }

    /** Power is back: one of the states that the disk may have been left in. */
    void revive() {
        names = new HashMap<>(unsynced.get(random.nextInt(unsynced.size())));
        unsynced.clear();
        unsynced.add(Map.copyOf(names));
        stepsLeft = Integer.MAX_VALUE;
    }

    private void step() {
        if (stepsLeft-- <= 0) {
            throw new Died();
        }
    }

    private void changed() {
        unsynced.add(Map.copyOf(names));
    }

    @Override
    public byte[] read(Path file, long mostBytes) throws IOException {
        byte[] content = names.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        return content.clone();
    }

    @Override
    public void write(Path file, byte[] content) {
        step();
        for (int part = 0; part < 4; part++) {
            names.put(file, Arrays.copyOf(content, random.nextInt(content.length + 1)));
            changed();
        }
        step();
        names.put(file, content.clone());
        // The file was synced: from here on every state of the disk has its content under this name.
        unsynced.replaceAll(state -> {
            Map<Path, byte[]> with = new HashMap<>(state);
            with.put(file, content.clone());
            return with;
        });
        changed();
    }

    @Override
    public boolean move(Path from, Path to) {
        step();
        byte[] content = names.remove(from);
        if (content == null) {
            return false;
        }
        names.put(to, content);
        changed();
        return true;
    }

    @Override
    public void sync(Path directory) {
        step();
        unsynced.clear();
        unsynced.add(Map.copyOf(names));
    }

    /** Flips a bit or cuts the file short. */
    void damage(Path file) {
        byte[] content = names.get(file);
        if (content == null || content.length == 0) {
            return;
        }
        if (random.nextBoolean()) {
            names.put(file, Arrays.copyOf(content, random.nextInt(content.length)));
        } else {
            byte[] damaged = content.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            names.put(file, damaged);
        }
    }
}
