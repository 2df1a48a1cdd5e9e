/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.SpeedVerdict;
import io.fpmplanner.core.pool.WorkerView;
import io.fpmplanner.service.recording.RecordedFrame;
import io.fpmplanner.service.recording.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four workers that each play the same recording a little later than the one before: their times are real. */
class RecordedWorkersTest {
    private static final int WORKERS = 4;
    private static final int FRAMES_PER_TICK = 20;
    private static final int COMPILING_FRAMES = 300;

    private static List<Path> recordings() throws IOException {
        Path folder = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        Assumptions.assumeTrue(Files.isDirectory(folder), "SKIPPED: no recordings at " + folder);
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .toList();
        }
    }

    /** Verdicts after each tick. */
    private static List<List<SpeedVerdict>> play(List<RecordedFrame> recording, int lag, double... factors) {
        Planner planner = new Planner(List.of(new PoolSettings(
                "pool",
                "",
                Role.AGGREGATED,
                new SloTarget(1, 0.1, 0.9),
                EngineLimits.defaults(),
                new ScalingSettings(1, 8, 1, 0, 0),
                LivenessSettings.defaults())));
        FpmFrame frame = new FpmFrame();
        List<List<SpeedVerdict>> verdicts = new ArrayList<>();
        long nowNanos = 0;
        for (int t = 0; t + WORKERS * lag < recording.size(); t++) {
            for (int worker = 0; worker < WORKERS; worker++) {
                RecordedFrame recorded = recording.get(t + lag * worker);
                recorded.fill(frame);
                frame.workerId("w" + worker).wallTimeSeconds(factors[worker] * recorded.wallTimeSeconds());
                nowNanos += 5_000_000;
                planner.onFrame(0, frame.arrival("tcp://10.0.0." + worker + ":20380", t, nowNanos));
            }
            if (t % FRAMES_PER_TICK == 0) {
                PoolView view = planner.tick(nowNanos).pools().get(0).pool();
                verdicts.add(view.workers().stream()
                        .map(WorkerView::speed)
                        .map(speed -> speed.verdict())
                        .toList());
            }
        }
        return verdicts;
    }

    @ParameterizedTest
    @ValueSource(ints = 37)
    void nobodyIsNamedWhereAllAreAlike(int lag) throws Exception {
        for (Path file : recordings()) {
            assertThat(play(Recording.steps(file), lag, 1, 1, 1, 1))
                    .as(file.toString())
                    .allSatisfy(verdicts -> assertThat(verdicts).doesNotContain(SpeedVerdict.SLOW, SpeedVerdict.FAST));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 20})
    void aWorkerSlowerByAFifthIsNamedWithinTwoHundredFramesAndNobodyElseIs(int lag) throws Exception {
        for (Path file : recordings()) {
            List<RecordedFrame> recording = Recording.steps(file);
            List<List<SpeedVerdict>> ticks =
                    play(recording.subList(COMPILING_FRAMES, recording.size()), lag, 1, 1.2, 1, 1);
            assertThat(framesUntilNamed(ticks)).as(file.toString()).isLessThanOrEqualTo(200);
            assertNobodyElseIsNamed(file, ticks);
        }
    }

    /** Of one recording the first 270 frames are compile stalls, more often than not. */
    @ParameterizedTest
    @ValueSource(ints = 7)
    void onEnginesThatStillCompileItIsNamedAsSoonOnAllButOne(int lag) throws Exception {
        List<Path> recordings = recordings();
        int soon = 0;
        for (Path file : recordings) {
            List<List<SpeedVerdict>> ticks = play(Recording.steps(file), lag, 1, 1.2, 1, 1);
            int frames = framesUntilNamed(ticks);
            assertThat(frames).as(file.toString()).isLessThanOrEqualTo(400);
            soon += frames <= 200 ? 1 : 0;
            assertNobodyElseIsNamed(file, ticks);
        }
        assertThat(soon).isGreaterThanOrEqualTo(recordings.size() - 1);
    }

    private static int framesUntilNamed(List<List<SpeedVerdict>> ticks) {
        int tick = 0;
        while (tick < ticks.size() && ticks.get(tick).get(1) != SpeedVerdict.SLOW) {
            tick++;
        }
        return tick == ticks.size() ? Integer.MAX_VALUE : tick * FRAMES_PER_TICK;
    }

    private static void assertNobodyElseIsNamed(Path file, List<List<SpeedVerdict>> ticks) {
        for (int worker : new int[] {0, 2, 3}) {
            assertThat(ticks)
                    .as(file.toString())
                    .allSatisfy(
                            verdicts -> assertThat(verdicts.get(worker)).isNotIn(SpeedVerdict.SLOW, SpeedVerdict.FAST));
        }
    }
}
