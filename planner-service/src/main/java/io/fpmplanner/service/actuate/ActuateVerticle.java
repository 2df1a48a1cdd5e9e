/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.service.actuate.ActuationBoard.Change;
import io.fpmplanner.service.actuate.ActuationBoard.PoolState;
import io.fpmplanner.service.actuate.Step.Reason;
import io.fpmplanner.service.config.ActuateSettings;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the targets every so often, tells the planner what replicas they have, and sets those that are recommended. To be
 * deployed as a worker, since the Kubernetes client blocks; the API server need not be there at the start.
 */
public final class ActuateVerticle extends VerticleBase {
    /** What was read of a fleet holds so many intervals. */
    private static final int FLEET_VALID_INTERVALS = 12;

    private static final Logger log = LoggerFactory.getLogger(ActuateVerticle.class);
    /** One line for each change, made or told. */
    private static final Logger audit = LoggerFactory.getLogger("audit.scale");

    private final ActuateSettings settings;
    private final ServiceView service;
    private final ScalerSignals signals;
    private final FleetInput fleet;
    private final ActuationBoard board;
    private final ActuationMetrics metrics;
    private final String identity;
    private final List<Target> targets = new ArrayList<>();

    private @Nullable ClusterTargets cluster;
    private @Nullable Leadership leadership;

    /** A pool with a target, and what is known of it. */
    private static final class Target {
        private final int poolIndex;
        private final String pool;
        private final PoolActuator actuator;
        private @Nullable TargetReading reading;
        private long readAtNanos;
        private @Nullable Change change;
        private String activity = "WAITING";
        private String message = "the target was not looked at yet";

        Target(int poolIndex, String pool, PoolActuator actuator) {
            this.poolIndex = poolIndex;
            this.pool = pool;
            this.actuator = actuator;
        }

        void does(String what, String why) {
            activity = what;
            message = why;
        }

        PoolState state() {
            TargetReading known = reading;
            return new PoolState(
                    pool,
                    actuator.target(),
                    known == null ? OptionalInt.empty() : java.util.OptionalInt.of(known.wanted()),
                    known == null ? OptionalInt.empty() : known.ready(),
                    readAtNanos,
                    activity,
                    message,
                    actuator.failures(),
                    actuator.failures() == 0 ? 0 : actuator.retryAtNanos(),
                    Optional.ofNullable(change));
        }
    }

    /**
     * Prepares to act.
     *
     * @param service what may be read; its configuration names the targets
     * @param signals what scalers may act upon
     * @param fleet where the targets' replicas are told
     * @param board where it is shown what is done
     * @param registry where it is counted
     * @param identity of this planner among several, e.g. the pod's name
     */
    public ActuateVerticle(
            ServiceView service,
            ScalerSignals signals,
            FleetInput fleet,
            ActuationBoard board,
            MeterRegistry registry,
            String identity) {
        this.settings = service.config().interfaces().actuate();
        this.service = service;
        this.signals = signals;
        this.fleet = fleet;
        this.board = board;
        this.metrics = new ActuationMetrics(registry);
        this.identity = identity;
        List<PoolConfig> pools = service.config().pools();
        for (int i = 0; i < pools.size(); i++) {
            int index = i;
            String id = pools.get(i).settings().id();
            pools.get(i).target().ifPresent(target -> {
                targets.add(new Target(index, id, new PoolActuator(target, settings.intervalSeconds())));
                metrics.pool(id);
            });
        }
        show();
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(0, Math.max(1, Math.round(settings.intervalSeconds() * 1_000)), timer -> look());
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        if (leadership != null) {
            leadership.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        return Future.succeededFuture();
    }

    private void look() {
        Optional<PlanView> plan = service.plan();
        Optional<ClusterTargets> reached = cluster();
        if (plan.isPresent() && reached.isPresent()) {
            boolean leads = leadership == null || leadership.leads();
            metrics.leads(leads);
            for (Target target : targets) {
                PoolPlan pool = plan.get().pools().get(target.poolIndex);
                if (!target.actuator.backsOff(now())) {
                    act(reached.get(), target, pool, leads);
                }
            }
        }
        show();
    }

    private void act(ClusterTargets reached, Target target, PoolPlan pool, boolean leads) {
        try {
            TargetReading reading = reached.read(target.actuator.target());
            target.reading = reading;
            target.readAtNanos = now();
            target.actuator.read();
            tellFleet(target, reading);
            if (target.actuator.noticeOthers(reading, now())) {
                contested(target, reading);
            }
            Step step = target.actuator.next(pool, signals.desiredReplicas(pool), reading, leads, now());
            if (step instanceof Step.Hold hold) {
                target.does(hold.reason().name(), hold.message());
            } else if (step instanceof Step.Scale scale) {
                scale(reached, target, scale, pool.recommendation());
            }
        } catch (TargetException e) {
            failed(target, e);
        }
    }

    private void tellFleet(Target target, TargetReading reading) {
        // An API server that is gone must not leave its last word in force.
        long validUntilNanos = now() + (long) (FLEET_VALID_INTERVALS * settings.intervalSeconds() * 1e9);
        reading.ready()
                .ifPresent(ready -> fleet.supply(
                        target.poolIndex,
                        new SuppliedFleet(
                                ready,
                                OptionalInt.of(Math.max(0, reading.wanted() - ready)),
                                OptionalInt.empty(),
                                validUntilNanos)));
    }

    private void scale(ClusterTargets reached, Target target, Step.Scale step, Recommendation because)
            throws TargetException {
        boolean dryRun = target.actuator.target().dryRun();
        if (!dryRun) {
            reached.scale(target.actuator.target(), step.from(), step.to());
            target.actuator.succeeded(step.to());
            target.reading = new TargetReading(step.to(), OptionalInt.empty());
        }
        String said = (dryRun ? "would set " : "set ") + step.to() + " replicas in place of " + step.from() + ": "
                + because.message();
        target.does(dryRun ? "DRY_RUN" : "SCALED", said);
        Change last = target.change;
        if (dryRun && last != null && last.from() == step.from() && last.to() == step.to()) {
            return;
        }
        target.change = new Change(
                now(), step.from(), step.to(), dryRun, because.reason().name());
        metrics.changed(target.pool, dryRun);
        audit.atInfo()
                .addKeyValue("pool", target.pool)
                .addKeyValue("target", target.actuator.target())
                .addKeyValue("from", step.from())
                .addKeyValue("to", step.to())
                .addKeyValue("dryRun", dryRun)
                .addKeyValue("reason", because.reason())
                .addKeyValue("by", identity)
                .addKeyValue("why", because.message())
                .log(dryRun ? "would scale" : "scaled");
    }

    private void contested(Target target, TargetReading reading) {
        metrics.contestedBy(target.pool);
        audit.atWarn()
                .addKeyValue("pool", target.pool)
                .addKeyValue("target", target.actuator.target())
                .addKeyValue("replicas", reading.wanted())
                .log("somebody else has scaled; is there an HPA or a ScaledObject too?");
    }

    private void failed(Target target, TargetException problem) {
        target.actuator.failed(now());
        target.does(Reason.BACKING_OFF.name(), String.valueOf(problem.getMessage()));
        metrics.failed(target.pool, problem.why());
        if (target.actuator.failures() == 1 || problem.why() == TargetException.Cause.CONFLICT) {
            log.atWarn()
                    .addKeyValue("pool", target.pool)
                    .addKeyValue("cause", problem.why().label())
                    .addKeyValue("why", problem.getMessage())
                    .log("target not read or not changed; tried again with back-off");
        }
    }

    /** The client, made at the first look. */
    private Optional<ClusterTargets> cluster() {
        if (cluster == null) {
            try {
                KubernetesClient client = ClusterTargets.connect(settings.kubeconfig());
                cluster = new ClusterTargets(client);
                settings.lease().ifPresent(lease -> {
                    leadership = new Leadership(client, lease, identity);
                    leadership.stand();
                });
            } catch (IOException | RuntimeException e) {
                targets.forEach(target -> failed(
                        target,
                        new TargetException(TargetException.Cause.FAILED, "the API server cannot be asked: " + e, e)));
            }
        }
        return Optional.ofNullable(cluster);
    }

    private void show() {
        board.show(new ActuationBoard.View(
                settings.lease().map(lease -> leadership != null && leadership.leads()),
                targets.stream().map(Target::state).toList()));
    }

    private long now() {
        return service.nanoClock().getAsLong();
    }
}
