/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SteppedRateTest {
    @Test
    void staircasesRiseSquaresRepeatAndTheLastStepLasts() {
        SteppedRate staircase = SteppedRate.staircase(1, 1, 20, 180);
        assertThat(staircase.requestsPerSecond(19.9)).isEqualTo(1);
        assertThat(staircase.requestsPerSecond(20)).isEqualTo(2);
        assertThat(staircase.requestsPerSecond(1e6)).isEqualTo(9);
        assertThat(staircase.peak()).isEqualTo(9);

        SteppedRate square = SteppedRate.square(1, 10, 40);
        assertThat(square.requestsPerSecond(19)).isEqualTo(1);
        assertThat(square.requestsPerSecond(21)).isEqualTo(10);
        assertThat(square.requestsPerSecond(4001)).isEqualTo(1);
        assertThat(square.requestsPerSecond(4039)).isEqualTo(10);
    }

    @Test
    void promptsOfAFamilyShareTheirPrefixAsFarAsTheyReach() {
        SyntheticWorkload workload = new SyntheticWorkload(
                ArrivalRate.constant(10),
                LengthDistribution.logNormal(1000, 0.5, 64, 8000),
                LengthDistribution.fixed(10),
                Optional.of(new SyntheticWorkload.PrefixSharing(3, 4, 512)));

        List<Request> requests = workload.requests(0, 100, 1);

        assertThat(requests).allSatisfy(request -> {
            assertThat(request.prefix().size()).isEqualTo(Math.min(4, (request.inputTokens() - 1) / 512));
            for (int i = 1; i < request.prefix().size(); i++) {
                assertThat(request.prefix().hash(i)).isEqualTo(request.prefix().hash(0) + i);
            }
        });
        assertThat(requests.stream()
                        .filter(request -> request.prefix().size() > 0)
                        .map(request -> request.prefix().hash(0))
                        .distinct())
                .containsExactlyInAnyOrder(0L, 4L, 8L);
    }
}
