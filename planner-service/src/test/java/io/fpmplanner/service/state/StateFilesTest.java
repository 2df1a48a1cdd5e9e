/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {
    private static final Path DIRECTORY = Path.of("state");

    private static byte[] content(int number) {
        return ("snapshot " + number + " " + "x".repeat(number % 700)).getBytes(StandardCharsets.UTF_8);
    }

    private static int number(byte[] content) {
        return Integer.parseInt(new String(content, StandardCharsets.UTF_8).split(" ", 3)[1]);
    }

    @Test
    void killedAnywhereTheNewestSavedStateOrTheOneBeingSavedIsFound() {
        SplittableRandom random = new SplittableRandom(1);
        DyingDisk disk = new DyingDisk(random);
        int saved = -1;
        int next = 0;
        for (int kill = 0; kill < 20_000; kill++) {
            disk.dieAfter(random.nextInt(14));
            StateFiles files = new StateFiles(DIRECTORY, disk);
            try {
                while (true) {
                    files.save(content(next));
                    saved = next++;
                }
            } catch (DyingDisk.Died | java.io.IOException e) {
                disk.revive();
            }
            StateFiles.Found found = new StateFiles(DIRECTORY, disk).load();
            assertThat(found.complaints()).isEmpty();
            int restored = found.content().map(StateFilesTest::number).orElse(-1);
            assertThat(restored).as("kill %d", kill).isBetween(saved, next);
            saved = restored;
            next++;
        }
    }

    @Test
    void ofADamagedFileNothingIsBelieved() throws Exception {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 5_000; i++) {
            DyingDisk disk = new DyingDisk(random);
            disk.dieAfter(Integer.MAX_VALUE);
            StateFiles files = new StateFiles(DIRECTORY, disk);
            files.save(content(1));
            files.save(content(2));
            disk.damage(DIRECTORY.resolve(StateFiles.NEWEST));
            StateFiles.Found found = files.load();
            assertThat(number(found.content().orElseThrow())).isEqualTo(1);
            assertThat(found.complaints()).hasSize(1);
        }
    }

    @Test
    void anotherVersionIsKeptAsideAndNotRead(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve(StateFiles.NEWEST), "fpm-planner-state 7 2 abc\n{}");
        StateFiles.Found found = new StateFiles(directory, Disk.REAL).load();
        assertThat(found.content()).isEmpty();
        assertThat(found.complaints())
                .singleElement()
                .asString()
                .contains("version 7", "reads version 1", "planner.state.version-7");
        assertThat(directory.resolve("planner.state.version-7")).exists();
    }

    @Test
    void theFilesAreWhatTheySay(@TempDir Path directory) throws Exception {
        StateFiles files = new StateFiles(directory, Disk.REAL);
        assertThat(files.load().content()).isEmpty();
        files.save(content(1));
        files.save(content(2));
        assertThat(number(files.load().content().orElseThrow())).isEqualTo(2);
        Files.delete(directory.resolve(StateFiles.NEWEST));
        assertThat(number(files.load().content().orElseThrow())).isEqualTo(1);
    }
}
