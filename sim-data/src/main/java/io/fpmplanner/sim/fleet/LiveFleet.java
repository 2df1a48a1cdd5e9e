/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Fleet} at the speed of a clock, on one thread of its own, {@code sim-fleet}.
 *
 * <p>All methods may be called from any thread. Listeners and channels are called on the fleet's thread.
 */
public final class LiveFleet implements AutoCloseable {
    /*
     * One thread paces all engines: it lets happen what is due, sleeps until the next event and never longer than a few
     * milliseconds, so that orders and an injected clock are noticed. Orders come by a queue, states go out as snapshots.
     */
    private static final long LONGEST_NAP_NANOS = 5_000_000;
    private static final long SNAPSHOT_EVERY_NANOS = 250_000_000;
    private static final long JOIN_MILLIS = 10_000;

    private final Fleet fleet;
    private final LongSupplier nanoClock;
    private final Queue<Consumer<Fleet>> orders = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile List<PoolState> state;
    private volatile boolean running = true;
    private volatile @Nullable Throwable failure;
    private volatile long worstLagNanos;

    /**
     * Starts the fleet.
     *
     * @param fleet handed over; nobody else may touch it any more
     * @param nanoClock the clock whose time line the fleet's settings use; never goes back
     */
    public LiveFleet(Fleet fleet, LongSupplier nanoClock) {
        this.fleet = fleet;
        this.nanoClock = nanoClock;
        this.state = fleet.state();
        this.thread = new Thread(this::run, "sim-fleet");
        thread.setDaemon(true);
        thread.start();
    }

    /** Orders a size, as {@link Fleet#scaleTo}; takes effect within milliseconds. */
    public void scaleTo(String poolId, int replicas) {
        requirePool(poolId);
        order(target -> target.scaleTo(poolId, replicas));
    }

    /** Begins the overall measurement of a pool's latencies anew. */
    public void measureFromNow(String poolId) {
        requirePool(poolId);
        order(target -> target.measureFromNow(poolId));
    }

    private void requirePool(String poolId) {
        if (state.stream().noneMatch(pool -> pool.id().equals(poolId))) {
            throw new IllegalArgumentException("no pool '" + poolId + "'");
        }
    }

    private void order(Consumer<Fleet> order) {
        orders.add(order);
        LockSupport.unpark(thread);
    }

    /** All pools, at most a quarter of a second old. */
    public List<PoolState> state() {
        return state;
    }

    /** What ended the fleet before {@link #close}; null while it runs well. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** The furthest that the fleet has been behind the clock, nanoseconds. */
    public long worstLagNanos() {
        return worstLagNanos;
    }

    /** Stops the thread and closes all channels. */
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (fleet) {
            long nextSnapshotNanos = Long.MIN_VALUE;
            while (running) {
                long nowNanos = nanoClock.getAsLong();
                recordLag(nowNanos);
                fleet.advanceTo(nowNanos);
                boolean ordered = false;
                for (Consumer<Fleet> order = orders.poll(); order != null; order = orders.poll()) {
                    order.accept(fleet);
                    ordered = true;
                }
                if (ordered || nowNanos >= nextSnapshotNanos) {
                    state = fleet.state();
                    nextSnapshotNanos = nowNanos + SNAPSHOT_EVERY_NANOS;
                }
                nap();
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void recordLag(long nowNanos) {
        long next = fleet.nextEventNanos();
        if (next < nowNanos && nowNanos - next > worstLagNanos) {
            worstLagNanos = nowNanos - next;
        }
    }

    private void nap() {
        long wait = Math.min(fleet.nextEventNanos() - nanoClock.getAsLong(), LONGEST_NAP_NANOS);
        if (wait > 0 && orders.isEmpty()) {
            LockSupport.parkNanos(this, wait);
        }
    }
}
