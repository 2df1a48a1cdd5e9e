/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.StepBatch;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.workload.RandomVariates;
import java.util.HashMap;
import java.util.Map;

/** Draws step times from recorded steps nearby. Not threadsafe. */
final class RecordedLaw implements StepTimeLaw {
    private static final int NEIGHBOURS = 8;
    /** Places are rounded to a fifth of the way from one to e times itself, and neighbours kept for each. */
    private static final double CELLS_PER_UNIT = 5;

    private static final int MOST_CELLS = 50_000;
    private static final double SHORTEST_SECONDS = 1e-6;

    private final RecordedSteps steps;
    private final RandomVariates variates;
    private final Map<Long, int[]> neighbours = new HashMap<>();

    RecordedLaw(RecordedSteps steps, long seed) {
        this.steps = steps;
        this.variates = new RandomVariates(seed);
    }

    @Override
    public double seconds(StepBatch batch) {
        double chunkContext = batch.prefillContextTokens();
        double context = batch.decodeContextTokens();
        double[] features = RecordedStep.features(
                batch.prefillTokens(), batch.prefillPairs(), chunkContext, batch.decodeRequests(), context);
        double[] place = RecordedStep.place(batch.prefillTokens(), chunkContext, batch.decodeRequests(), context);
        return draw(features, place);
    }

    double draw(double[] features, double[] place) {
        int[] near = near(place);
        int drawn = near[(int) (variates.uniform() * near.length)];
        return Math.max(SHORTEST_SECONDS, steps.cost(features) * steps.ratio(drawn));
    }

    private int[] near(double[] place) {
        long key = 0;
        for (int i = 0; i < place.length; i++) {
            key = 1_024 * key + Math.round(CELLS_PER_UNIT * place[i]);
        }
        int[] known = neighbours.get(key);
        if (known == null) {
            if (neighbours.size() >= MOST_CELLS) {
                neighbours.clear();
            }
            known = steps.nearest(place, NEIGHBOURS);
            neighbours.put(key, known);
        }
        return known;
    }
}
