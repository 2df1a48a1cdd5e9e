/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.RegimeReadiness;
import java.util.List;
import java.util.Optional;

/** The parts of documents that tell a latency, or what is missing to tell it. */
final class PredictionJson {
    private PredictionJson() {}

    /**
     * A 422 where the answer would lie too far beyond what was seen; one that rests on little more than a prior is marked WARMING
     * instead.
     */
    static void requireNear(LatencyPrediction.Predicted predicted) {
        if (predicted.extrapolation() > Problem.EXTRAPOLATION_BOUND && predicted.evidence() != Evidence.WARMING) {
            throw Problem.tooFar(predicted.extrapolation());
        }
    }

    static void write(ObjectNode node, LatencyPrediction.Predicted predicted, double planAgeSeconds) {
        Fields.spread(node, "ttft", Optional.of(predicted.ttft()));
        Fields.spread(node, "itl", predicted.itl());
        RecommendationJson.sloShare(node, predicted.sloShare());
        Fields.number(node, "queueWaitSeconds", predicted.queueWaitSeconds());
        node.put("evidence", predicted.evidence().name());
        node.putObject("extrapolation")
                .put("factor", predicted.extrapolation())
                .put("bound", Problem.EXTRAPOLATION_BOUND);
        Fields.number(node, "dataAgeSeconds", predicted.dataAgeSeconds() + planAgeSeconds);
    }

    static void regimes(ObjectNode node, List<RegimeReadiness> regimes) {
        ArrayNode list = node.putArray("regimes");
        for (RegimeReadiness regime : regimes) {
            list.addObject()
                    .put("regime", regime.regime().name())
                    .put("evidence", regime.evidence().name())
                    .put("frames", regime.frames())
                    .put("framesNeeded", regime.framesNeeded());
        }
    }
}
