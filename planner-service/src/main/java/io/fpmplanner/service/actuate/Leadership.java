/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fpmplanner.service.config.ActuateSettings.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes part in the election of the planner that acts, by a Lease. Threadsafe. */
final class Leadership implements AutoCloseable {
    /*
     * As kube-controller-manager has them. The one that leads gives up after RENEW without a renewal, which is before
     * another may take over.
     */
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    private final KubernetesClient client;
    private final LeaderElectionConfig config;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "leader-election");
        created.setDaemon(true);
        return created;
    });
    private volatile boolean leads;
    private volatile boolean closed;
    private @Nullable CompletableFuture<?> term;
    /** What follows the end of the term. */
    private @Nullable CompletableFuture<?> ended;

    Leadership(KubernetesClient client, Lease lease, String identity) {
        this.client = client;
        this.config = new LeaderElectionConfig(
                new LeaseLock(lease.namespace(), lease.name(), identity),
                LEASE,
                RENEW,
                RETRY,
                new LeaderCallbacks(
                        () -> turned(true),
                        () -> turned(false),
                        leader -> log.atInfo().addKeyValue("leader", leader).log("planner that acts")),
                true,
                lease.name());
    }

    /** Begins to stand for election, and goes on until closed. */
    synchronized void stand() {
        if (closed) {
            return;
        }
        CompletableFuture<?> started = new LeaderElector(client, config, thread).start();
        term = started;
        ended = started.whenComplete((nothing, problem) -> {
            turned(false);
            if (!closed) {
                CompletableFuture.delayedExecutor(RETRY.toMillis(), TimeUnit.MILLISECONDS, thread)
                        .execute(this::stand);
            }
        });
    }

    private void turned(boolean now) {
        leads = now;
    }

    /** Whether this planner may change targets now. */
    boolean leads() {
        return leads;
    }

    /** Gives the lease back, if it is held, so that another need not wait for its end. */
    @Override
    public synchronized void close() {
        closed = true;
        CompletableFuture<?> current = term;
        if (current != null) {
            current.cancel(true);
        }
        CompletableFuture<?> following = ended;
        if (following != null) {
            following.cancel(false);
        }
        leads = false;
        thread.shutdown();
    }
}
