/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Every metric that is served, by name. */
public enum ExternalMetric {
    DESIRED_REPLICAS("llm_desired_replicas", true, "Replicas to have; for an HPA with AverageValue 1.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of("", signals.desiredReplicas(plan));
        }
    },
    DESIRED_RATIO("llm_desired_ratio", true, "Desired over ready replicas; for an HPA with Value 1.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of("", signals.desiredRatio(plan));
        }
    },
    PREDICTED_TTFT(
            "llm_predicted_ttft_seconds",
            false,
            "Predicted time to first token, s; label percentile: 50, 90, 99; 90 if not asked.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of(
                    "50", signals.ttftSeconds(plan, LatencySpread::p50Seconds),
                    "90", signals.ttftSeconds(plan, LatencySpread::p90Seconds),
                    "99", signals.ttftSeconds(plan, LatencySpread::p99Seconds));
        }
    },
    PREDICTED_ITL(
            "llm_predicted_itl_seconds",
            false,
            "Predicted time between tokens, s; label percentile: 50, 90, 99; 90 if not asked.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of(
                    "50", signals.itlSeconds(plan, LatencySpread::p50Seconds),
                    "90", signals.itlSeconds(plan, LatencySpread::p90Seconds),
                    "99", signals.itlSeconds(plan, LatencySpread::p99Seconds));
        }
    },
    SLO_ATTAINMENT("llm_slo_attainment_ratio", false, "Predicted share of requests within both objectives, 0 to 1.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of("", signals.sloAttainment(plan));
        }
    },
    BACKLOG("llm_backlog_seconds", false, "Time the ready replicas need for what waits, s.") {
        @Override
        Map<String, Signal> read(ScalerSignals signals, PoolPlan plan) {
            return Map.of("", signals.backlogSeconds(plan));
        }
    };

    /** What is given where no percentile is asked for, so that an HPA does not add several up. */
    static final String DEFAULT_PERCENTILE = "90";

    private final String metricName;
    private final boolean replicas;
    private final String meaning;

    ExternalMetric(String metricName, boolean replicas, String meaning) {
        this.metricName = metricName;
        this.replicas = replicas;
        this.meaning = meaning;
    }

    /** Its values by percentile; the key is empty where there is only one. */
    abstract Map<String, Signal> read(ScalerSignals signals, PoolPlan plan);

    String metricName() {
        return metricName;
    }

    /**
     * The kind that discovery tells. kubectl goes from the name to the kind and back, so a kind that several metrics share, as
     * other adapters have it, would make it ask for the wrong one. Only kubectl looks at it; the answer's kind is another.
     */
    String kind() {
        if (this == DESIRED_REPLICAS) {
            return "ExternalMetricValueList";
        }
        StringBuilder kind = new StringBuilder();
        for (String word : metricName.split("_", -1)) {
            kind.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return kind.toString();
    }

    /** Whether it says how many replicas to have: adding up those of several pools would be wrong for each. */
    boolean isReplicas() {
        return replicas;
    }

    boolean hasPercentiles() {
        return this == PREDICTED_TTFT || this == PREDICTED_ITL;
    }

    static Optional<ExternalMetric> named(String name) {
        return Stream.of(values())
                .filter(metric -> metric.metricName.equals(name))
                .findFirst();
    }

    static List<String> names() {
        return Stream.of(values()).map(ExternalMetric::metricName).toList();
    }

    /** The table of the manual, in Markdown. */
    public static String markdown() {
        StringBuilder table = new StringBuilder("| External metric | Meaning |\n|---|---|\n");
        for (ExternalMetric metric : values()) {
            table.append("| `").append(metric.metricName).append("` | ");
            table.append(metric.meaning).append(" |\n");
        }
        return table.toString();
    }
}
