/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import java.util.List;

/** Every metric that is made from plans and sources: its name, kind, labels and meaning. */
public enum PlanMetric {
    BUILD_INFO("build_info", false, "Always 1; the version of the service.", "version"),
    POOL_INFO("pool_info", false, "Always 1; what the pool serves.", "pool", "role", "model"),
    FRAMES_RECEIVED("frames_received", true, "Messages accepted as frames.", "pool"),
    FRAMES_REJECTED("frames_rejected", true, "Messages that were no frames.", "pool", "reason"),
    FRAMES_DROPPED(
            "frames_dropped", true, "Frames lost between receiver and planner because the planner was behind.", "pool"),
    MESSAGES_LOST(
            "messages_lost",
            true,
            "Messages missing by gaps in the numbering of the transport, where it has one of its own.",
            "pool"),
    MESSAGES_IGNORED("messages_ignored", true, "Messages meant for others, such as other topics.", "pool"),
    FRAMES_LOST("frames_lost", true, "Frames missing by gaps in the sequence of their rank.", "pool"),
    FRAMES_REFUSED("frames_refused", true, "Frames of new ranks or timing scopes beyond the cap.", "pool"),
    HEARTBEATS("heartbeats", true, "Frames that only say that a rank is alive.", "pool"),
    STEPS_LEARNED("steps_learned", true, "Frames that trained the model.", "pool"),
    RANK_RESTARTS("rank_restarts", true, "Times the sequence of a rank fell back.", "pool"),
    PROTOCOL_ERRORS("protocol_errors", true, "Connections closed for a breach of the protocol or of a limit.", "pool"),
    ENDPOINTS("endpoints", false, "Endpoints by state of the connection.", "pool", "state"),
    WORKERS("workers", false, "Workers by what their silence says.", "pool", "state"),
    SLOW_WORKERS(
            "slow_workers", false, "Workers surely more than a tenth slower than their peers at equal work.", "pool"),
    DATA_AGE("data_age_seconds", false, "Time since the newest frame; absent before the first.", "pool"),
    PLAN_AGE("plan_age_seconds", false, "Time since the newest plan was made."),
    DESIRED_REPLICAS("desired_replicas", false, "Replicas to have; absent when nothing can be said.", "pool", "role"),
    CURRENT_REPLICAS(
            "current_replicas",
            false,
            "Replicas known to be there: ready ones, and pending ones where an orchestrator says so; absent while no worker is heard of.",
            "pool",
            "role"),
    READY_REPLICAS("ready_replicas", false, "Replicas that serve; absent while no worker is heard of.", "pool", "role"),
    PENDING_REPLICAS(
            "pending_replicas",
            false,
            "Replicas ordered and not ready; absent while no worker is heard of.",
            "pool",
            "role"),
    NEEDED_REPLICAS(
            "needed_replicas",
            false,
            "Replicas the demand needs, before rounding and limits; absent when not known.",
            "pool",
            "role"),
    RECOMMENDATION_STATUS("recommendation_status", false, "1 for the status in force, else 0.", "pool", "status"),
    RECOMMENDATION_REASON("recommendation_reason", false, "Always 1; the reason in force.", "pool", "reason"),
    EVIDENCE("evidence", false, "1 for the evidence in force, else 0.", "pool", "evidence"),
    PREDICTED_TTFT(
            "predicted_ttft_seconds",
            false,
            "Time to first token of a typical request; absent when not known.",
            "pool",
            "role",
            "statistic"),
    PREDICTED_ITL(
            "predicted_itl_seconds",
            false,
            "Time between tokens; absent when not known and in a prefill pool.",
            "pool",
            "role",
            "statistic"),
    SLO_ATTAINMENT(
            "slo_attainment_ratio",
            false,
            "Predicted share of requests within both objectives; absent when not known.",
            "pool",
            "role"),
    SLO_TTFT("slo_ttft_seconds", false, "Configured objective.", "pool"),
    SLO_ITL("slo_itl_seconds", false, "Configured objective.", "pool"),
    RUNNING_REQUESTS("running_requests", false, "Requests that decode now; absent while no rank is live.", "pool"),
    QUEUED_REQUESTS("queued_requests", false, "Requests that wait; absent while no rank is live.", "pool", "phase"),
    QUEUED_TOKENS("queued_tokens", false, "Tokens that wait; absent while no rank is live.", "pool", "phase"),
    BACKLOG(
            "backlog_seconds",
            false,
            "Time the ready replicas need for what waits; absent when not known.",
            "pool",
            "role"),
    BUSY_RATIO("busy_ratio", false, "Share of time spent in steps; absent while no rank is live.", "pool"),
    KV_REPORTS("kv_reports", true, "Messages about KV cache and load taken in.", "pool"),
    KV_CAPACITY(
            "kv_capacity_tokens", false, "KV capacity of a rank as engines report it; absent when none does.", "pool"),
    KV_USED(
            "kv_used_ratio",
            false,
            "Share of the KV cache in use, mean over live ranks; absent when not reported.",
            "pool"),
    MODEL_FRAMES("model_frames", false, "Frames learned since the start or the last drift.", "pool", "regime"),
    MODEL_ERROR("model_error_ratio", false, "Mean absolute relative error one step ahead.", "pool", "regime"),
    MODEL_BIAS("model_bias_ratio", false, "Mean log of measured over predicted; above 0 is too low.", "pool", "regime"),
    MODEL_COVERAGE(
            "model_coverage_ratio",
            false,
            "Share of steps inside the interval of so many percent: 50, 80, 90 or 99.",
            "pool",
            "regime",
            "interval"),
    MODEL_PRIOR_WEIGHT(
            "model_prior_weight_ratio",
            false,
            "What the prior counts in predictions, 0 to 1; absent without one.",
            "pool",
            "regime"),
    MODEL_DRIFT_RESETS("model_drift_resets", true, "Times the past was given up since the engine had changed.", "pool"),
    PREDICTIONS_SCORED("predictions_scored", true, "Predictions compared with what came.", "pool", "latency"),
    PREDICTION_BIAS(
            "prediction_bias_ratio",
            false,
            "Log of mean seen over mean predicted, lately; above 0 predictions are too low.",
            "pool",
            "latency"),
    PREDICTION_ERROR(
            "prediction_error_ratio",
            false,
            "Mean distance of what was seen from the prediction over the mean prediction, lately.",
            "pool",
            "latency"),
    PREDICTION_COVERAGE(
            "prediction_coverage_ratio",
            false,
            "Share of what was seen within the predicted percentile: 50, 90 or 99, lately.",
            "pool",
            "latency",
            "percentile"),
    OBSERVATIONS_REFUSED("observations_refused", true, "Posted observations that could not be scored.", "pool"),
    HANDOFF_FRAMES("handoff_frames", false, "Frames that wait for the planner now.", "source"),
    HANDOFF_CAPACITY("handoff_capacity_frames", false, "Most frames that may wait.", "source"),
    RANK_FRAMES(
            "rank_frames_received",
            true,
            "Frames of one rank; only at /metrics/ranks, as all of these.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher"),
    RANK_FRAMES_LOST(
            "rank_frames_lost",
            true,
            "Frames of one rank missing by gaps in its sequence.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher"),
    RANK_SEQUENCE_RESTARTS(
            "rank_sequence_restarts",
            true,
            "Times the sequence of one rank fell back.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher"),
    RANK_HEARTBEATS(
            "rank_heartbeats",
            true,
            "Frames of one rank that only say that it is alive.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher"),
    RANK_FRAME_AGE(
            "rank_last_frame_age_seconds",
            false,
            "Time since the newest frame of one rank.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher"),
    RANK_ACTIVITY(
            "rank_activity",
            false,
            "Always 1; what one rank is doing.",
            "pool",
            "worker",
            "dp_rank",
            "endpoint",
            "publisher",
            "activity"),
    ENDPOINT_FRAMES(
            "endpoint_frames_received", true, "Messages of one endpoint accepted as frames.", "pool", "endpoint"),
    ENDPOINT_DROPPED(
            "endpoint_frames_dropped", true, "Frames of one endpoint lost before the planner.", "pool", "endpoint"),
    ENDPOINT_LOST("endpoint_messages_lost", true, "Messages of one endpoint missing by gaps.", "pool", "endpoint"),
    ENDPOINT_PROTOCOL_ERRORS(
            "endpoint_protocol_errors", true, "Breaches of protocol by one endpoint.", "pool", "endpoint"),
    ENDPOINT_REJECTED(
            "endpoint_frames_rejected",
            true,
            "Messages of one endpoint that were no frames.",
            "pool",
            "endpoint",
            "reason");

    private static final String PREFIX = "fpm_planner_";

    private final String base;
    private final boolean counter;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so.
    private final List<String> labels;

    PlanMetric(String base, boolean counter, String meaning, String... labels) {
        this.base = base;
        this.counter = counter;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    /** The name as exposed, e.g. {@code fpm_planner_frames_received_total}. */
    public String exposedName() {
        return PREFIX + base + (counter ? "_total" : "");
    }

    /** The name without the suffix that counters get when exposed. */
    String familyName() {
        return PREFIX + base;
    }

    boolean isCounter() {
        return counter;
    }

    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }

    /** The table of the manual, in Markdown. */
    public static String markdown() {
        StringBuilder table = new StringBuilder("| Metric | Kind | Labels | Meaning |\n|---|---|---|---|\n");
        for (PlanMetric metric : values()) {
            table.append("| `").append(metric.exposedName()).append("` | ");
            table.append(metric.counter ? "counter" : "gauge").append(" | ");
            table.append(String.join(", ", metric.labels)).append(" | ");
            table.append(metric.meaning).append(" |\n");
        }
        return table.toString();
    }
}
