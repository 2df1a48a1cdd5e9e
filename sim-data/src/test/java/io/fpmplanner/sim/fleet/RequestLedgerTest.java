/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.fleet.RequestRecord.Outcome;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestLedgerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final EngineSettings ENGINE = EngineSettings.vllm(1_000, 8, 10_000);

    private final RequestLedger ledger = new RequestLedger();

    @Test
    void each_request_has_one_record_with_what_became_of_it() {
        Fleet fleet = fleet(
                new Request(0, 0, 100, 0, 3),
                new Request(0, SECOND, 20_000, 0, 3), // Larger than the KV cache; the id is taken twice.
                new Request(2, 2 * SECOND, 100, 0, 1),
                new Request(3, 3 * SECOND, 100, 0, 500));

        fleet.advanceTo(4 * SECOND);

        List<RequestRecord> records = ledger.records();
        assertThat(records)
                .extracting(RequestRecord::outcome)
                .containsExactly(Outcome.FINISHED, Outcome.REFUSED, Outcome.FINISHED, Outcome.UNFINISHED);
        // Steps of 10 ms: the first token after one, then 5 ms of transfer and two steps for the two others.
        assertThat(records.get(0).ttftSeconds()).hasValue(0.010);
        assertThat(records.get(0).endNanos()).isEqualTo(35 * MILLI);
        assertThat(records.get(0).itlSeconds()).hasValue(0.0125);
        assertThat(records.get(1).ttftSeconds()).isEmpty();
        assertThat(records.get(1).endNanos()).isEqualTo(SECOND);
        assertThat(records.get(2).itlSeconds()).isEmpty();
        assertThat(records.get(3).firstTokenNanos()).isEqualTo(3 * SECOND + 10 * MILLI);
        assertThat(records.get(3).endNanos()).isEqualTo(RequestRecord.NONE);
        assertThat(ledger.size()).isEqualTo(4);
        assertThat(ledger.unfinished()).isEqualTo(1);
    }

    private Fleet fleet(Request... requests) {
        PoolSpec prefill = pool("prefill", EngineKind.PREFILL_ONLY);
        PoolSpec decode = pool("decode", EngineKind.DECODE_ONLY);
        return new Fleet(
                new FleetSettings(
                        List.of(prefill, decode), List.of(new Traffic("prefill", source(requests))), 0, SECOND, 1),
                new FrameChannels((origin, frame, nowNanos) -> {}),
                ledger);
    }

    private static PoolSpec pool(String id, EngineKind kind) {
        return new PoolSpec(
                id,
                ENGINE.as(kind, 5 * MILLI),
                seed -> batch -> 0.010,
                Router.LEAST_LOADED,
                new Replicas(1, 1, 1, 0),
                kind == EngineKind.PREFILL_ONLY ? "decode" : null);
    }

    private static RequestSource source(Request... requests) {
        Deque<Request> left = new ArrayDeque<>(List.of(requests));
        return new RequestSource() {
            @Override
            public long nextArrivalNanos() {
                return left.isEmpty() ? Long.MAX_VALUE : left.getFirst().arrivalNanos();
            }

            @Override
            public Request next() {
                return left.removeFirst();
            }
        };
    }
}
