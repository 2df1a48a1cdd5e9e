/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that only see when their turn comes, beside real ones in an engine of the same random numbers. */
class TwinProbesTest {
    private static final StepTimeSnapshot MODEL = learned();
    private final TrialResults results = new TrialResults(8);
    private double lastFinished;

    private static StepTimeSnapshot learned() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        SplittableRandom random = new SplittableRandom(1);
        StepWorkload step = new StepWorkload();
        for (int i = 0; i < 3000; i++) {
            double decodes = i % 3 == 0 ? 0 : 1 + random.nextInt(128);
            double tokens = i % 3 == 1 ? 0 : 1 + random.nextInt(2048);
            double context = decodes * (200 + random.nextInt(1500));
            step.prefill(tokens == 0 ? 0 : 1, tokens, 0, 0).decode(decodes, context, 0);
            model.observe(step, 0.006 + 2e-5 * tokens + 3e-5 * decodes + 4e-8 * context);
        }
        return model.snapshot();
    }

    private EngineTwin engine(Role role, EngineLimits limits, int decoding, int queued) {
        EngineTwin engine = new EngineTwin(role, limits, new StepSampler(MODEL, 0, 1), listener(), results);
        engine.reset(0);
        for (int i = 0; i < decoding; i++) {
            engine.run(i, 900 + i, 20 + 5 * i);
        }
        for (int i = 0; i < queued; i++) {
            engine.queue(decoding + i, 0, 300 + 40 * i, 30);
        }
        return engine;
    }

    private TwinListener listener() {
        return new TwinListener() {
            @Override
            public void onFirstToken(int request, double atSeconds) {}

            @Override
            public void onFinished(int request, double atSeconds) {
                lastFinished = atSeconds;
            }

            @Override
            public void onGap(double seconds, double tokens, StepRegime regime) {}
        };
    }

    private static EngineLimits limits(SchedulingRule rule, int sequences, long kvCapacity) {
        return new EngineLimits(2048, sequences, OptionalLong.of(kvCapacity), rule);
    }

    @ParameterizedTest
    @CsvSource({
        "DECODE_FIRST, 256, 1000000, 0, 0",
        "DECODE_FIRST, 256, 1000000, 40, 3",
        "DECODE_FIRST, 256, 1000000, 40, 60",
        "DECODE_FIRST, 32, 1000000, 32, 40",
        "DECODE_FIRST, 256, 46000, 40, 30",
        "PREFILL_FIRST, 256, 1000000, 40, 60",
        "PREFILL_FIRST, 32, 1000000, 32, 40",
        "PREFILL_FIRST, 256, 60000, 40, 30"
    })
    void theirTurnComesWhenThatOfARequestWould(
            SchedulingRule rule, int sequences, long kvCapacity, int decoding, int queued) {
        EngineTwin real = engine(Role.AGGREGATED, limits(rule, sequences, kvCapacity), decoding, queued);
        real.queue(1000, 0, 500, 100);
        real.wake();
        while (real.waiting() > 0) {
            real.advanceTo(real.nextEventSeconds());
        }
        EngineTwin probed = engine(Role.AGGREGATED, limits(rule, sequences, kvCapacity), decoding, queued);
        probed.probe(results.begin(0, 500, 0), 0, 500, 100);
        while (probed.probes() > 0) {
            probed.advanceTo(probed.nextEventSeconds());
        }
        assertThat(results.playedSeconds(0)).isEqualTo(real.nowSeconds());
    }

    @ParameterizedTest
    @EnumSource(SchedulingRule.class)
    void theyLeaveTheEngineAsItWas(SchedulingRule rule) {
        EngineTwin plain = engine(Role.AGGREGATED, limits(rule, 64, 1_000_000), 40, 60);
        plain.wake();
        plain.advanceTo(1e6);
        double expected = lastFinished;
        EngineTwin probed = engine(Role.AGGREGATED, limits(rule, 64, 1_000_000), 40, 60);
        for (int i = 0; i < 8; i++) {
            probed.probe(results.begin(0, 500, 0), 0, 500, 100);
        }
        probed.advanceTo(1e6);
        assertThat(probed.probes()).isZero();
        assertThat(lastFinished).isEqualTo(expected);
    }

    @Test
    void inTheDecodeRoleTheyWaitForASeatAndAToken() {
        EngineTwin engine = engine(Role.DECODE, limits(SchedulingRule.DECODE_FIRST, 32, 1_000_000), 32, 0);
        engine.wake();
        engine.probe(results.begin(0, 800, 0), 800, 0, 100);
        engine.advanceTo(1e6);
        // The first of the 32 has 20 tokens to go; a step takes about 8.5 ms.
        assertThat(results.playedSeconds(0)).isCloseTo(21 * 0.0085, within(0.3 * 21 * 0.0085));
        assertThat(results.decodes(0)).isEqualTo(31);
    }

    @Test
    void whatIsGivenUpHasWaitedUntilThen() {
        EngineTwin engine = engine(Role.AGGREGATED, limits(SchedulingRule.DECODE_FIRST, 32, 1_000_000), 32, 0);
        engine.wake();
        engine.probe(results.begin(0, 800, 0), 0, 800, 100);
        engine.advanceTo(0.05);
        engine.giveUpProbes();
        assertThat(engine.probes()).isZero();
        assertThat(results.playedSeconds(0)).isEqualTo(0.05);
        engine.advanceTo(1e6);
        assertThat(results.playedSeconds(0)).isEqualTo(0.05);
    }
}
