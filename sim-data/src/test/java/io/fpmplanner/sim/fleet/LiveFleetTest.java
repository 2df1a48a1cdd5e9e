/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.RequestStream;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

@Timeout(60)
class LiveFleetTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void it_follows_its_clock_and_obeys_orders_from_another_thread() throws Exception {
        AtomicLong clock = new AtomicLong();
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        StepChannels channels = (poolId, slot, identity, nowNanos) -> {
            events.add("open " + identity.workerId());
            return new StepChannel() {
                @Override
                public void publish(ForwardPassMetrics metrics, long endNanos) {
                    events.add("step of " + metrics.workerId());
                }

                @Override
                public void close() {
                    events.add("close " + identity.workerId());
                }
            };
        };
        LiveFleet live = new LiveFleet(fleet(channels, 3), clock::get);
        assertThat(next(events)).isEqualTo("open agg-0");

        clock.set(3 * SECOND); // Nothing but the clock moves, and requests of three seconds are served.
        assertThat(next(events)).isEqualTo("step of agg-0");

        live.scaleTo("agg", 2);
        while (live.state().get(0).pending() == 0) {
            Thread.onSpinWait(); // The clock must not pass the cold start before the order has arrived.
        }
        clock.set(20 * SECOND);
        await(events, "open agg-1");
        live.close();

        await(events, "close agg-0");
        assertThat(live.failure()).isNull();
    }

    @Test
    void replicas_publish_over_real_sockets() throws Exception {
        int port;
        try (ServerSocket probe = new ServerSocket(0)) {
            port = probe.getLocalPort();
        }
        long start = System.nanoTime();
        try (ZmqChannels channels = new ZmqChannels("127.0.0.1", Map.of("agg", port), System::nanoTime);
                ZContext context = new ZContext()) {
            ZMQ.Socket subscriber = context.createSocket(SocketType.SUB);
            subscriber.setReceiveTimeOut(30_000);
            subscriber.subscribe(new byte[0]);
            subscriber.connect("tcp://127.0.0.1:" + port);
            LiveFleet live = new LiveFleet(fleet(channels, 50, start), System::nanoTime);

            ZMsg message = ZMsg.recvMsg(subscriber);

            assertThat(message).hasSize(3);
            assertThat(message.getLast().getData().length).isGreaterThan(300);
            live.close();
            assertThat(live.failure()).isNull();
        }
    }

    private static String next(BlockingQueue<String> events) throws InterruptedException {
        String event = events.poll(30, TimeUnit.SECONDS);
        return event == null ? "nothing" : event;
    }

    private static void await(BlockingQueue<String> events, String wanted) throws InterruptedException {
        String event = next(events);
        while (!event.equals(wanted) && !event.equals("nothing")) {
            event = next(events);
        }
        assertThat(event).isEqualTo(wanted);
    }

    private static Fleet fleet(StepChannels channels, double requestsPerSecond) {
        return fleet(channels, requestsPerSecond, 0);
    }

    private static Fleet fleet(StepChannels channels, double requestsPerSecond, long startNanos) {
        PoolSpec pool = new PoolSpec(
                "agg",
                EngineSettings.vllm(1024, 64, 100_000),
                seed -> new RooflineLaw(TransformerSpec.LLAMA_3_1_8B, GpuSpec.H100_SXM),
                Router.ROUND_ROBIN,
                new Replicas(1, 4, 8, 5 * SECOND),
                null);
        RequestStream stream = new RequestStream(
                ArrivalRate.constant(requestsPerSecond),
                LengthDistribution.fixed(100),
                LengthDistribution.fixed(5),
                startNanos,
                1);
        return new Fleet(
                new FleetSettings(List.of(pool), List.of(new Traffic("agg", stream)), startNanos, 10 * SECOND, 1),
                channels,
                new FleetListener() {});
    }
}
