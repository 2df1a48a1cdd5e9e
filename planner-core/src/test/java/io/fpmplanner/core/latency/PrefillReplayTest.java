/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fluid replay against an engine run step by step with the same step times. */
class PrefillReplayTest {
    private static final StepTimeSnapshot MODEL = learned();

    private static StepTimeSnapshot learned() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        SplittableRandom random = new SplittableRandom(1);
        StepWorkload step = new StepWorkload();
        for (int i = 0; i < 6000; i++) {
            double decodes = i % 3 == 0 ? 0 : 1 + random.nextInt(256);
            double tokens = i % 3 == 1 ? 0 : 1 + random.nextInt(4096);
            double context = decodes * (200 + random.nextInt(1500));
            double requests = tokens == 0 ? 0 : Math.ceil(tokens / 1000);
            step.prefill(requests, tokens, tokens == 0 ? 0 : random.nextInt(2000), 0)
                    .decode(decodes, context, 0);
            model.observe(step, 0.006 + 2e-5 * tokens + 3e-5 * decodes + 4e-8 * context);
        }
        return model.snapshot();
    }

    private static StepTimes times() {
        return new StepTimes(MODEL, 0);
    }

    private static EngineLimits limits(int sequences, SchedulingRule rule) {
        return new EngineLimits(2048, sequences, OptionalLong.empty(), rule);
    }

    private static RankMoment moment(EngineLimits limits, int decoding, int queued, int prompt, int output) {
        double context = prompt + output / 2.0;
        RankLoad load = new RankLoad(
                decoding + queued == 0, decoding, decoding * context, 0, queued, (double) queued * prompt, 0, 0, 0);
        return new RankMoment(
                limits, Role.AGGREGATED, load, (double) queued * prompt, queued, prompt, context, output, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "DECODE_FIRST, 256, 0, 0, 700, 100",
        "DECODE_FIRST, 256, 40, 0, 700, 100",
        "DECODE_FIRST, 256, 40, 10, 700, 100",
        "DECODE_FIRST, 256, 40, 60, 700, 100",
        "DECODE_FIRST, 256, 10, 3, 9000, 100",
        "DECODE_FIRST, 64, 60, 200, 700, 100",
        "DECODE_FIRST, 64, 64, 40, 300, 400",
        "DECODE_FIRST, 32, 32, 500, 2000, 50",
        "PREFILL_FIRST, 256, 0, 0, 700, 100",
        "PREFILL_FIRST, 256, 40, 10, 700, 100",
        "PREFILL_FIRST, 256, 40, 60, 700, 100",
        "PREFILL_FIRST, 64, 60, 200, 700, 100",
        "PREFILL_FIRST, 64, 64, 40, 300, 400"
    })
    void agreesWithTheEngineRunStepByStep(
            SchedulingRule rule, int sequences, int decoding, int queued, int prompt, int output) {
        EngineLimits limits = limits(sequences, rule);
        double expected = ReplayOracle.ttft(limits, times(), decoding, queued, prompt, output);
        PrefillReplay.Outcome outcome =
                new PrefillReplay(moment(limits, decoding, queued, prompt, output), times(), prompt, 0).run();
        double replayed = outcome.runningStepSeconds() + outcome.seconds();
        if (queued == 0 && decoding > 0) {
            /* The oracle admits the request at once; the replay has it wait for the step that runs already. */
            replayed = outcome.seconds();
        }
        /* Fluid against whole requests: a tenth, or one step. */
        assertThat(replayed).isCloseTo(expected, within(0.1 * expected + 0.04));
        assertThat(outcome.waitSeconds()).isLessThan(outcome.seconds());
    }

    @Test
    void theCostDoesNotGrowWithTheQueue() {
        EngineLimits limits = limits(128, SchedulingRule.DECODE_FIRST);
        PrefillReplay.Outcome outcome = new PrefillReplay(moment(limits, 128, 10_000, 900, 200), times(), 900, 0).run();
        double departures = 10_000.0 * 200 / 128;
        assertThat(outcome.steps()).isCloseTo(departures, within(0.15 * departures));
        double oracle = ReplayOracle.ttft(limits, times(), 128, 10_000, 900, 200);
        assertThat(outcome.seconds()).isCloseTo(oracle, within(0.1 * oracle));
    }

    @Test
    void cachedTokensNeedNoPrefill() {
        EngineLimits limits = limits(128, SchedulingRule.DECODE_FIRST);
        RankMoment idle = moment(limits, 0, 0, 4000, 200);
        double cold = new PrefillReplay(idle, times(), 4000, 0).run().seconds();
        double warm = new PrefillReplay(idle, times(), 400, 3600).run().seconds();
        assertThat(warm).isLessThan(cold / 3);
    }

    @Test
    void aPrefillPoolHoldsNoDecodes() {
        RankLoad load = new RankLoad(false, 0, 0, 0, 20, 14_000, 0, 0, 0);
        EngineLimits limits = limits(4, SchedulingRule.DECODE_FIRST);
        RankMoment moment = new RankMoment(limits, Role.PREFILL, load, 14_000, 20, 700, 700, 1, 0);
        PrefillReplay.Outcome outcome = new PrefillReplay(moment, times(), 700, 0).run();
        double stepTime = 0.006 + 2e-5 * 2048;
        assertThat(outcome.runningStepSeconds() + outcome.seconds())
                .isCloseTo(14_700 / 2048.0 * stepTime, within(0.06));
    }
}
