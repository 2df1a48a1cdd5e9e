/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimePrior;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step-time model per timing scope: wall times that span different parts of a step must never meet in one fit.
 * Predictions use the scope whose frames came last most often. Not threadsafe.
 */
final class ScopedModels {
    /* A pool has one scope, two during a rolling upgrade. The cap only guards against a hostile stream of scopes. */
    private static final int MAX_SCOPES = 4;

    private final StepTimeSettings settings;
    private final Optional<StepTimePrior> prior;
    private final StepListener listener;
    private final List<Scoped> models = new ArrayList<>();
    private final StepWorkload scratch = new StepWorkload();
    private long refused;

    ScopedModels(StepTimeSettings settings, Optional<StepTimePrior> prior, StepListener listener) {
        this.prior = prior;
        this.settings = settings;
        this.listener = listener;
        models.add(new Scoped("", newModel()));
    }

    private StepTimeModel newModel() {
        return prior.map(start -> new StepTimeModel(settings, start)).orElseGet(() -> new StepTimeModel(settings));
    }

    /**
     * Learns from a measured step; returns false when its scope is one too many.
     *
     * @param speed of the rank it came from: kept up here, and what the step is put right by, so that the model stays
     *     that of a typical rank
     * @param compare whether there are peers to compare the rank with
     */
    boolean observe(FpmFrame step, SpeedEstimate speed, boolean compare) {
        Scoped scoped = of(step.timingScope());
        if (scoped == null) {
            refused++;
            return false;
        }
        scoped.recent++;
        scoped.used = true;
        step.fill(scratch);
        if (compare && scoped.model.evidence(scratch) == Evidence.READY) {
            speed.observe(Math.log(step.wallTimeSeconds() / scoped.model.usualSeconds(scratch)));
        }
        double typicalSeconds = step.wallTimeSeconds() / speed.factor();
        listener.beforeLearning(scoped.model, scratch, typicalSeconds);
        scoped.model.observe(scratch, typicalSeconds);
        return true;
    }

    private @Nullable Scoped of(String scope) {
        for (int i = 0; i < models.size(); i++) { // by index: an iterator per frame would be garbage
            if (models.get(i).scope.equals(scope)) {
                return models.get(i);
            }
        }
        if (models.size() == MAX_SCOPES) {
            return null;
        }
        Scoped added = new Scoped(scope, newModel());
        models.add(added);
        return added;
    }

    /** The view of the scope that most of the recent frames had; recent means a geometric fading over ticks. */
    PoolView.ModelView view() {
        Scoped best = models.get(0);
        int used = 0;
        for (Scoped scoped : models) {
            best = scoped.recent > best.recent ? scoped : best;
            used += scoped.used ? 1 : 0;
        }
        for (Scoped scoped : models) {
            scoped.recent *= 0.9;
        }
        return new PoolView.ModelView(best.scope, best.model.snapshot(), used);
    }

    /** What was learned, of every scope that taught anything. Allocates. */
    List<PoolMemory.ScopeMemory> memory() {
        List<PoolMemory.ScopeMemory> memory = new ArrayList<>();
        for (Scoped scoped : models) {
            if (scoped.used) {
                LearnedStepTimes learned = scoped.model.export();
                if (learned.framesLearned() > 0) {
                    memory.add(new PoolMemory.ScopeMemory(scoped.scope, scoped.recent, learned));
                }
            }
        }
        return memory;
    }

    /** Goes on from what was learned before a restart; what was learned with other settings is left out. */
    void restore(List<PoolMemory.ScopeMemory> memory) {
        for (PoolMemory.ScopeMemory each : memory) {
            if (!each.learned().settings().equals(settings)) {
                continue;
            }
            models.removeIf(scoped -> scoped.scope.equals(each.scope()));
            if (models.size() < MAX_SCOPES) {
                Scoped restored = new Scoped(each.scope(), StepTimeModel.resume(each.learned(), prior));
                restored.recent = each.recent();
                restored.used = true;
                models.add(restored);
            }
        }
    }

    long refused() {
        return refused;
    }

    private static final class Scoped {
        private final String scope;
        private final StepTimeModel model;
        private double recent;
        private boolean used;

        private Scoped(String scope, StepTimeModel model) {
            this.scope = scope;
            this.model = model;
        }
    }
}
