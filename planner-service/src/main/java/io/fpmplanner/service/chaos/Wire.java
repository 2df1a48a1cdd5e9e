/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.fleet.StepChannels;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.WireDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZContext;

/**
 * The sockets of a simulated fleet, with a switch for what goes wrong on them. Sockets belong to the fleet's thread; the
 * switch may be set from any.
 */
final class Wire implements StepChannels, AutoCloseable {
    private final ZContext context = new ZContext();
    private final String host;
    private final List<Integer> ports;
    private final NatsStand nats;
    private final long seed;
    private volatile Fault fault = Fault.NONE;

    /** What goes wrong. */
    enum Fault {
        /** All is well. */
        NONE,
        /** All publishers are dead: no sockets. */
        DEAD,
        /** All but the first are dead. */
        MOST_DEAD,
        /** Each dies and comes back, numbering from 0, twice a second. */
        FLAPPING,
        /** Sockets stay open and nothing is sent. */
        STALLED,
        /** Among frames are messages of random bytes and parts. */
        GARBAGE,
        /** Each frame comes three times. */
        DUPLICATES,
        /** Every second frame comes after the next one. */
        REORDERED,
        /**
         * Wall times are a thousand times as long, negative or no numbers now and then, and messages say that they were
         * published years ago or in years to come.
         */
        CLOCKS,
        /** Numbers jump forwards and back by hours. */
        SEQUENCE_JUMPS,
        /** Each frame is followed by nine heartbeats. */
        TENFOLD,
        /** A hundred workers that nobody ordered, one frame each, every second. */
        STRANGERS
    }

    /** One port a slot; slots beyond publish over NATS. */
    Wire(String host, List<Integer> ports, NatsStand nats, long seed) {
        this.host = host;
        this.ports = List.copyOf(ports);
        this.nats = nats;
        this.seed = seed;
    }

    void set(Fault newFault) {
        fault = newFault;
    }

    @Override
    public StepChannel open(String poolId, int slot, RankIdentity identity, long nowNanos) {
        return new Channel(slot, identity.workerId());
    }

    @Override
    public void close() {
        context.close();
    }

    private final class Channel implements StepChannel {
        private static final long HEARTBEAT_NANOS = 1_000_000_000L;
        private static final long FLAP_NANOS = 500_000_000L;
        private static final long MOST_WRONG_MILLIS = 300_000_000_000L;

        private final int slot;
        private final String worker;
        private final ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        private final SplittableRandom random;
        private final Line line;
        private boolean open;
        private @Nullable ForwardPassMetrics held;
        private long sequence;
        private long nextHeartbeatNanos;
        private long lastStrangersNanos;
        private long strangers;

        Channel(int slot, String worker) {
            this.slot = slot;
            this.worker = worker;
            this.random = new SplittableRandom(seed + slot);
            this.line = slot < ports.size()
                    ? new ZmqLine(context, host, ports.get(slot))
                    : new NatsLine(nats, random.nextLong(1L << 53));
            bind();
        }

        private void bind() {
            open = line.open();
            sequence = 0;
        }

        private void die() {
            open = false;
            line.close();
        }

        /** Whether a frame can be sent now. */
        private boolean isAlive(long nowNanos) {
            boolean dead = switch (fault) {
                case DEAD -> true;
                case MOST_DEAD -> slot > 0;
                case FLAPPING -> nowNanos / FLAP_NANOS % 2 == 0;
                default -> false;
            };
            if (dead) {
                die();
                return false;
            }
            if (!open) {
                bind();
            }
            return open && fault != Fault.STALLED;
        }

        @Override
        public void publish(ForwardPassMetrics metrics, long endNanos) {
            nextHeartbeatNanos = endNanos + HEARTBEAT_NANOS;
            if (!isAlive(endNanos)) {
                return;
            }
            switch (fault) {
                case GARBAGE -> {
                    frame(metrics);
                    garbage();
                }
                case DUPLICATES -> {
                    frame(metrics);
                    sequence--;
                    frame(metrics);
                    sequence--;
                    frame(metrics);
                }
                case REORDERED -> reordered(metrics);
                case CLOCKS -> {
                    line.mistime(random.nextLong(-MOST_WRONG_MILLIS, MOST_WRONG_MILLIS));
                    frame(random.nextInt(10) == 0 ? mistimed(metrics) : metrics);
                    line.mistime(0);
                }
                case SEQUENCE_JUMPS -> {
                    sequence += random.nextInt(20) == 0 ? random.nextInt(-50_000, 50_000) : 0;
                    sequence = Math.max(0, sequence);
                    frame(metrics);
                }
                case TENFOLD -> {
                    frame(metrics);
                    for (int i = 0; i < 9; i++) {
                        frame(ForwardPassMetrics.heartbeat(worker, 0));
                    }
                }
                case STRANGERS -> {
                    frame(metrics);
                    strangers(endNanos);
                }
                default -> frame(metrics);
            }
        }

        private void reordered(ForwardPassMetrics metrics) {
            ForwardPassMetrics before = held;
            if (before == null) {
                held = metrics;
                sequence++;
                return;
            }
            held = null;
            frame(metrics);
            sequence -= 2;
            frame(before);
            sequence++;
        }

        private ForwardPassMetrics mistimed(ForwardPassMetrics metrics) {
            double seconds = switch (random.nextInt(3)) {
                case 0 -> 1000 * metrics.wallTimeSeconds();
                case 1 -> -metrics.wallTimeSeconds();
                default -> Double.NaN;
            };
            return new ForwardPassMetrics(
                    metrics.workerId(),
                    metrics.dpRank(),
                    metrics.counterId(),
                    metrics.timingScope(),
                    seconds,
                    metrics.scheduled(),
                    metrics.queued());
        }

        private void strangers(long nowNanos) {
            if (slot > 0 || nowNanos - lastStrangersNanos < HEARTBEAT_NANOS) {
                return;
            }
            lastStrangersNanos = nowNanos;
            for (int i = 0; i < 100; i++) {
                frame(ForwardPassMetrics.heartbeat("stranger-" + strangers++, 0));
            }
        }

        private void garbage() {
            List<byte[]> parts = new ArrayList<>();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                byte[] part = new byte[random.nextInt(300)];
                random.nextBytes(part);
                parts.add(part);
            }
            if (random.nextBoolean()) {
                byte[] cut = encoder.encode(ForwardPassMetrics.heartbeat(worker, 0));
                cut[random.nextInt(cut.length)] ^= (byte) (1 << random.nextInt(8));
                line.frame(sequence, cut);
                return;
            }
            line.rubbish(parts);
        }

        private void frame(ForwardPassMetrics metrics) {
            line.frame(sequence, encoder.encode(metrics.withCounterId(sequence)));
            sequence++;
        }

        @Override
        public long nextHeartbeatNanos() {
            return nextHeartbeatNanos;
        }

        @Override
        public void heartbeat(long nowNanos) {
            publish(ForwardPassMetrics.heartbeat(worker, 0), nowNanos);
        }

        @Override
        public void close() {
            die();
        }
    }
}
