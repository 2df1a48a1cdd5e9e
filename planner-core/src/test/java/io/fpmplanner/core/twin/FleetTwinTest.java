/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.pool.TokenLengths;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The twin with a linear step law, where queueing theory and conservation say what must come out. */
class FleetTwinTest {
    private static final StepTimeSnapshot MODEL = learned();
    private static final SloTarget SLO = new SloTarget(1.0, 0.05, 0.9);

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
            model.observe(step, seconds(tokens, decodes, context));
        }
        return model.snapshot();
    }

    private static double seconds(double tokens, double decodes, double context) {
        return 0.006 + 2e-5 * tokens + 3e-5 * decodes + 4e-8 * context;
    }

    private static TwinPool pool(Role role, SchedulingRule rule) {
        return new TwinPool(role, new EngineLimits(2048, 128, OptionalLong.of(400_000), rule), MODEL, 0, 1);
    }

    private static Workload workload(double rate) {
        return Workload.poisson(rate, TokenLengths.spread(700, 300), TokenLengths.spread(100, 60));
    }

    @Test
    void aPrefillRankOfEqualPromptsIsAQueueWithConstantService() {
        EngineLimits limits = new EngineLimits(2000, 128, OptionalLong.empty(), SchedulingRule.DECODE_FIRST);
        FleetTwin twin = FleetTwin.of(new TwinPool(Role.PREFILL, limits, MODEL, 0, 1), SLO);
        double service = seconds(2000, 0, 0);
        for (double utilisation : List.of(0.3, 0.6, 0.8)) {
            Workload workload =
                    Workload.poisson(utilisation / service, TokenLengths.fixed(2000), TokenLengths.fixed(1));
            WhatIfAnswer answer = twin.ask(new WhatIf(workload, 1, 0, Routing.RANDOM, 0));
            /* M/D/1 by Pollaczek and Khinchine; 4,000 requests leave that much noise. */
            double tolerance = utilisation > 0.7 ? 0.15 : 0.06;
            double expected = service * (1 + utilisation / (2 * (1 - utilisation)));
            assertThat(answer.ttft().orElseThrow().meanSeconds())
                    .as("utilisation %s", utilisation)
                    .isCloseTo(expected, within(tolerance * expected));
            assertThat(answer.pools().get(0).busyShare()).isCloseTo(utilisation, within(0.03));
            assertThat(answer.pools().get(0).utilisation()).isCloseTo(utilisation, within(0.03));
        }
    }

    @ParameterizedTest
    @EnumSource(SchedulingRule.class)
    void littlesLawHoldsInTheBatch(SchedulingRule rule) {
        WhatIfAnswer answer = FleetTwin.of(pool(Role.AGGREGATED, rule), SLO).ask(WhatIf.of(workload(30), 2));
        assertThat(answer.stable()).isTrue();
        double life = 99 * answer.requestItl().orElseThrow().meanSeconds();
        double batch = answer.pools().get(0).meanBatch();
        assertThat(batch).isCloseTo(15 * life, within(0.1 * batch));
        assertThat(answer.evidence()).isEqualTo(Evidence.READY);
    }

    @ParameterizedTest
    @EnumSource(SchedulingRule.class)
    void moreReplicasNeverHurt(SchedulingRule rule) {
        FleetTwin twin = FleetTwin.of(pool(Role.AGGREGATED, rule), SLO);
        double before = Double.POSITIVE_INFINITY;
        for (int replicas : List.of(1, 2, 3, 4, 6, 8, 12)) {
            WhatIfAnswer answer = twin.ask(WhatIf.of(workload(40), replicas));
            double p90 = answer.stable() ? answer.ttft().orElseThrow().p90Seconds() : Double.POSITIVE_INFINITY;
            assertThat(p90).as("%s replicas", replicas).isLessThanOrEqualTo(1.05 * before);
            before = p90;
        }
    }

    @ParameterizedTest
    @EnumSource(SchedulingRule.class)
    void theFormulaAgreesOnWhereQueuesGrow(SchedulingRule rule) {
        FleetTwin twin = FleetTwin.of(pool(Role.AGGREGATED, rule), SLO);
        double saturated = twin.ask(WhatIf.of(workload(1), 1)).pools().get(0).saturatedRequestsPerSecond();
        assertThat(twin.ask(WhatIf.of(workload(0.85 * saturated), 1)).stable()).isTrue();
        assertThat(twin.ask(WhatIf.of(workload(1.15 * saturated), 1)).stable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.02, 1.05, 1.1, 1.19, 1.5, 10})
    void moreThanAPrefillRankComputesIsUnstable(double utilisation) {
        EngineLimits limits = new EngineLimits(2000, 128, OptionalLong.empty(), SchedulingRule.DECODE_FIRST);
        FleetTwin twin = FleetTwin.of(new TwinPool(Role.PREFILL, limits, MODEL, 0, 1), SLO);
        /* A prompt fills a step, so a rank serves just so many; what the model has learned is off by a little. */
        double service = seconds(2000, 0, 0);
        Workload workload =
                Workload.poisson(3 * utilisation / service, TokenLengths.fixed(2000), TokenLengths.fixed(1));
        for (Routing routing : Routing.values()) {
            WhatIfAnswer answer = twin.ask(new WhatIf(workload, 3, 0, routing, 0));
            assertThat(answer.stable()).as("%s", routing).isFalse();
            assertThat(answer.pools().get(0).utilisation()).isCloseTo(utilisation, within(0.015 * utilisation));
            assertThat(answer.ttft()).isEmpty();
        }
        WhatIfAnswer bearable = twin.ask(new WhatIf(workload.at(2.9 / service), 3, 0, Routing.LEAST_LOADED, 0));
        assertThat(bearable.stable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.93, 1.06, 1.15})
    void moreThanTheSeatsOfADecodeRankServeIsUnstable(double utilisation) {
        FleetTwin twin = FleetTwin.of(pool(Role.DECODE, SchedulingRule.DECODE_FIRST), SLO);
        /* 128 seats, each held for 100 steps with 700 to 800 tokens of context. */
        double saturated = 128 / (100 * seconds(0, 128, 128 * 750));
        Workload workload = Workload.poisson(utilisation * saturated, TokenLengths.fixed(700), TokenLengths.fixed(101));
        WhatIfAnswer answer = twin.ask(WhatIf.of(workload, 1));
        assertThat(answer.pools().get(0).saturatedRequestsPerSecond()).isCloseTo(saturated, within(0.03 * saturated));
        assertThat(answer.stable()).isEqualTo(utilisation < 1);
    }

    @Test
    void theHighestRateIsServedByTheSmallestFleet() {
        FleetTwin twin = FleetTwin.of(pool(Role.AGGREGATED, SchedulingRule.DECODE_FIRST), SLO);
        double rate = twin.highestSustainableRate(WhatIf.of(workload(1), 4)).orElseThrow();
        assertThat(twin.smallestFleet(WhatIf.of(workload(0.97 * rate), 1), 64)).containsExactly(4);
        assertThat(twin.smallestFleet(WhatIf.of(workload(1.03 * rate), 1), 64)).containsExactly(5);
    }

    @Test
    void aPairAddsTransferAndDecodeAdmission() {
        TwinPool prefill = pool(Role.PREFILL, SchedulingRule.DECODE_FIRST);
        TwinPool decode = pool(Role.DECODE, SchedulingRule.DECODE_FIRST);
        FleetTwin pair = FleetTwin.of(prefill, decode, SLO);
        WhatIfAnswer near = pair.ask(new WhatIf(workload(20), 2, 2, Routing.LEAST_LOADED, 0));
        WhatIfAnswer far = pair.ask(new WhatIf(workload(20), 2, 2, Routing.LEAST_LOADED, 0.1));
        assertThat(far.ttft().orElseThrow().p50Seconds()
                        - near.ttft().orElseThrow().p50Seconds())
                .isCloseTo(0.1, within(0.01));
        assertThat(far.pools()).extracting(WhatIfAnswer.PoolAnswer::role).containsExactly(Role.PREFILL, Role.DECODE);
        assertThat(pair.smallestFleet(WhatIf.pair(workload(60), 1, 1), 64)).hasSize(2);
        assertThatThrownBy(() -> pair.ask(WhatIf.of(workload(20), 2))).hasMessageStartingWith("decodeReplicas");
    }

    @Test
    void answersOfOneTokenNeverComeToADecodePool() {
        Workload single = Workload.poisson(2, TokenLengths.fixed(500), TokenLengths.fixed(1));
        TwinPool decode = pool(Role.DECODE, SchedulingRule.DECODE_FIRST);
        WhatIfAnswer answer = FleetTwin.of(decode, SLO)
                .askWithRange(WhatIf.of(single, 1), 0.1)
                .answer();
        assertThat(answer.stable()).isTrue();
        assertThat(answer.ttft()).isEmpty();
        assertThat(answer.attainment().both()).isEqualTo(1);

        WhatIfAnswer pair = FleetTwin.of(pool(Role.PREFILL, SchedulingRule.DECODE_FIRST), decode, SLO)
                .askWithRange(WhatIf.pair(single, 1, 1), 0.1)
                .answer();
        assertThat(pair.ttft().orElseThrow().p50Seconds()).isPositive();
        assertThat(pair.itl()).isEmpty();
    }

    @Test
    void theSameQuestionGetsTheSameAnswer() {
        FleetTwin twin = FleetTwin.of(pool(Role.AGGREGATED, SchedulingRule.DECODE_FIRST), SLO);
        assertThat(twin.ask(WhatIf.of(workload(30), 2))).isEqualTo(twin.ask(WhatIf.of(workload(30), 2)));
    }

    @Test
    void farBeyondWhatWasSeenIsSaid() {
        TwinPool large = new TwinPool(
                Role.AGGREGATED,
                new EngineLimits(65_536, 4096, OptionalLong.empty(), SchedulingRule.DECODE_FIRST),
                MODEL,
                0,
                1);
        WhatIfAnswer answer = FleetTwin.of(large, SLO)
                .ask(WhatIf.of(Workload.poisson(60, TokenLengths.fixed(100), TokenLengths.fixed(1500)), 1));
        assertThat(answer.extrapolation()).isGreaterThan(2);
        assertThat(answer.evidence()).isEqualTo(Evidence.EXTRAPOLATING);
    }
}
