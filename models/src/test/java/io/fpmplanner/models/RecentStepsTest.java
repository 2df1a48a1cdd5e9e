/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentStepsTest {
    private final RecentSteps recent = new RecentSteps();
    private final StepTimeLearner challenger = new StepTimeLearner(StepTimeSettings.defaults());

    @Test
    void aNewLearnerIsBetterAtStepsOfAnotherEngine() {
        for (int i = 0; i < 10; i++) {
            add(0.02, i % 2 == 0 ? 0.6 : -0.6);
        }

        assertThat(recent.isBetter(challenger, 10)).isTrue();
        assertThat(challenger.fit().framesLearned()).isEqualTo(10);
    }

    @Test
    void stallsThatNobodyPredictsDecideNothing() {
        for (int i = 0; i < 10; i++) {
            add(0.02 * Math.pow(9, i % 4), 3);
        }

        assertThat(recent.isBetter(challenger, 10)).isFalse();
    }

    @Test
    void itIsNotBetterWhereLittleWasWrong() {
        for (int i = 0; i < 16; i++) {
            add(0.02, 0.08);
        }

        assertThat(recent.isBetter(challenger, 16)).isFalse();
    }

    @Test
    void onlyTheStepsAskedForAreTaughtAndNoMoreThanThereAre() {
        for (int i = 0; i < 20; i++) {
            add(0.02, 0);
        }
        recent.isBetter(challenger, 7);
        assertThat(challenger.fit().framesLearned()).isEqualTo(7);

        StepTimeLearner another = new StepTimeLearner(StepTimeSettings.defaults());
        recent.isBetter(another, 100);
        assertThat(another.fit().framesLearned()).isEqualTo(16);
    }

    private void add(double seconds, double logRatio) {
        recent.add(new StepWorkload().decode(4, 4000, 0), seconds, logRatio);
    }
}
