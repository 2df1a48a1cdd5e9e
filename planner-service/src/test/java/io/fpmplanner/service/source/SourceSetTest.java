/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several sources are drained in turn, and shown as one. */
class SourceSetTest {
    private final Scripted flooding = new Scripted("flooding", 1);
    private final Scripted quiet = new Scripted("quiet", 0);
    private final SourceSet sources = new SourceSet(List.of(flooding, quiet), 8);

    @Test
    void aFloodOfOneSourceNeitherTakesNorDelaysTheRoomOfAnother() {
        sources.start(() -> {});
        flooding.put(8);
        quiet.put(1);
        List<Integer> pools = new ArrayList<>();

        assertThat(sources.drain(4, slot -> pools.add(slot.poolIndex()))).isTrue();

        assertThat(pools).containsExactly(1, 1, 1, 1, 0);
        assertThat(sources.drain(4, slot -> {})).isTrue();
        assertThat(sources.drain(4, slot -> {})).isFalse();
    }

    @Test
    void endpointsOfAllSourcesAreShownInTheOrderOfPools() {
        assertThat(sources.endpoints()).extracting(EndpointStatus::endpoint).containsExactly("quiet", "flooding");
    }

    @Test
    void itReceivesWhileAllDoAndClosesAll() {
        assertThat(sources.isReceiving()).isFalse();
        sources.start(() -> {});
        assertThat(sources.isReceiving()).isTrue();

        sources.close();

        assertThat(flooding.isReceiving()).isFalse();
        assertThat(quiet.isReceiving()).isFalse();
    }

    /** A source that puts what it is told to into its ring. */
    private static final class Scripted implements FrameSource {
        private final String name;
        private final int pool;
        private FrameRing ring = new FrameRing(1);
        private boolean receiving;

        Scripted(String name, int pool) {
            this.name = name;
            this.pool = pool;
        }

        void put(int frames) {
            for (int i = 0; i < frames; i++) {
                FrameRing.Slot slot = ring.claim();
                assertThat(slot).isNotNull();
                slot.set(pool, null);
                ring.publish();
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void start(FrameRing filled, Runnable wake) {
            ring = filled;
            receiving = true;
        }

        @Override
        public List<EndpointStatus> endpoints() {
            return List.of(new EndpointStatus(pool, name, name, EndpointState.CONNECTED, "", EndpointCounts.NONE));
        }

        @Override
        public boolean isReceiving() {
            return receiving;
        }

        @Override
        public void close() {
            receiving = false;
        }
    }
}
