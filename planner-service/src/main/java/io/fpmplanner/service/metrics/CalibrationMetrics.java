/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.latency.CalibrationView;
import io.fpmplanner.core.latency.PredictionScore;
import java.util.Optional;

/** How predictions have turned out, as metrics; the label {@code latency} says of what. */
final class CalibrationMetrics {
    private CalibrationMetrics() {}

    static void add(Families families, CalibrationView view, String pool) {
        score(families, view.itlFromFrames(), pool, "itl");
        score(families, view.queueWaitFromFrames(), pool, "queue_wait");
        score(families, view.ttftObserved(), pool, "ttft_observed");
        score(families, view.itlObserved(), pool, "itl_observed");
        families.add(PlanMetric.OBSERVATIONS_REFUSED, view.observationsRefused(), pool);
    }

    private static void score(Families families, Optional<PredictionScore> known, String pool, String latency) {
        if (known.isEmpty()) {
            families.add(PlanMetric.PREDICTIONS_SCORED, 0, pool, latency);
            return;
        }
        PredictionScore score = known.get();
        families.add(PlanMetric.PREDICTIONS_SCORED, score.count(), pool, latency);
        families.add(PlanMetric.PREDICTION_BIAS, score.bias(), pool, latency);
        families.add(PlanMetric.PREDICTION_ERROR, score.error(), pool, latency);
        families.add(PlanMetric.PREDICTION_COVERAGE, score.within50(), pool, latency, "50");
        families.add(PlanMetric.PREDICTION_COVERAGE, score.within90(), pool, latency, "90");
        families.add(PlanMetric.PREDICTION_COVERAGE, score.within99(), pool, latency, "99");
    }
}
