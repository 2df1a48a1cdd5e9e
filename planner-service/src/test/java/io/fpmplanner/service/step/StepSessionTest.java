/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepSessionTest {
    private static final String POOLS =
            "\"pools\": [{\"id\": \"agg\", \"slo\": {\"ttftSeconds\": 2, \"itlSeconds\": 0.05},"
                    + " \"scaling\": {\"coldStartSeconds\": 30, \"maxReplicas\": 8}}]";

    private final StepSession session = new StepSession(Optional.empty());

    private ObjectNode ask(String line) {
        return session.answer(line);
    }

    /** An engine whose steps take 20 ms and 0.2 ms a request, one prompt in each eighth step. */
    private static String frame(long counter, int batch) {
        boolean prefill = counter % 8 == 0;
        double wall = 0.02 + 0.0002 * batch + (prefill ? 0.08 : 0);
        return String.format(
                Locale.ROOT,
                "{\"sequence\": %d, \"frame\": {\"worker_id\": \"w\", \"counter_id\": %d, \"wall_time\": %.6f,"
                        + " \"scheduled_requests\": {\"num_prefill_requests\": %d, \"sum_prefill_tokens\": %d,"
                        + " \"num_decode_requests\": %d, \"sum_decode_kv_tokens\": %d}}}",
                counter,
                counter,
                wall,
                prefill ? 1 : 0,
                prefill ? 1000 : 0,
                batch,
                batch * 1100);
    }

    private List<ObjectNode> run(StepSession driven) {
        return run(driven, 40);
    }

    private List<ObjectNode> run(StepSession driven, int requestsPerSecond) {
        List<ObjectNode> answers = new ArrayList<>();
        driven.answer("{" + POOLS + "}");
        for (int second = 1; second <= 40; second++) {
            StringBuilder frames = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                long counter = second * 40L + i;
                frames.append(frames.isEmpty() ? "" : ",").append(frame(counter, 10 + (int) (counter % 7)));
            }
            answers.add(driven.answer("{\"timeSeconds\": " + second + ", \"frames\": [" + frames
                    + "], \"fleet\": {\"agg\": {\"ready\": 1, \"pending\": 0}}, \"traffic\": {\"agg\": {\"seconds\": 1,"
                    + " \"requests\": " + requestsPerSecond + ", \"inputTokens\": 1000, \"outputTokens\": 200}}}"));
        }
        return answers;
    }

    @Test
    void recommendsOnTheCallersClock() {
        List<ObjectNode> answers = run(session);
        ObjectNode last = answers.get(answers.size() - 1);
        assertThat(last.path("frames").path("accepted").asInt()).isEqualTo(40);
        JsonNode advice = last.path("recommendations").path(0);
        assertThat(advice.path("status").asText()).isEqualTo("UNDER_PROVISIONED");
        assertThat(advice.path("desiredReplicas").asInt()).isGreaterThan(1);
        assertThat(advice.path("decidedAtSeconds").asDouble()).isEqualTo(40);
        assertThat(advice.path("demand").path("requestsPerSecond").asDouble()).isEqualTo(40);
    }

    @Test
    void aForecastOrdersAheadOfARise() {
        List<ObjectNode> answers = run(session, 4);
        int before = desired(answers.get(answers.size() - 1));
        JsonNode advice = ask("{\"timeSeconds\": 41, \"forecast\": {\"agg\": {\"points\": ["
                        + "{\"timeSeconds\": 41, \"requestsPerSecond\": 4},"
                        + "{\"timeSeconds\": 60, \"requestsPerSecond\": 60},"
                        + "{\"timeSeconds\": 300, \"requestsPerSecond\": 60}]}}}")
                .path("recommendations")
                .path(0);
        assertThat(advice.at("/demand/forecastOrigin").asText()).isEqualTo("SUPPLIED");
        assertThat(advice.at("/demand/neededReplicas").asDouble()).isGreaterThan(before);
        assertThat(advice.path("message").asText()).contains("A supplied forecast expects 60.00 requests/s");
    }

    @Test
    void trafficCountsOnLinesWithoutFramesToo() {
        List<ObjectNode> answers = run(session, 4);
        int before = desired(answers.get(answers.size() - 1));
        ObjectNode answer = answers.get(answers.size() - 1);
        for (int second = 41; second <= 45; second++) {
            answer = ask("{\"timeSeconds\": " + second + ", \"traffic\": {\"agg\": {\"seconds\": 1, \"requests\": 60,"
                    + " \"inputTokens\": 1000, \"outputTokens\": 200}}}");
        }
        assertThat(desired(answer)).isGreaterThan(before);
    }

    private static int desired(ObjectNode answer) {
        return answer.path("recommendations").path(0).path("desiredReplicas").asInt();
    }

    @Test
    void budgetsLimitWhatPoolsAskForTogether() {
        String gpu = ", \"gpu\": {\"type\": \"h100\", \"perReplica\": 2}}]";
        String pools = POOLS.substring(0, POOLS.length() - 2) + gpu;
        session.answer("{" + pools + ", \"gpuBudgets\": [{\"gpuType\": \"h100\", \"maxGpus\": 4}]}");
        List<ObjectNode> answers = run(session);
        JsonNode advice =
                answers.get(answers.size() - 1).path("recommendations").path(0);
        assertThat(advice.path("desiredReplicas").asInt()).isEqualTo(2);
        assertThat(advice.path("limitedBy").asText()).isEqualTo("GPU_BUDGET");
        assertThat(ask("{\"timeSeconds\": 50, \"gpuBudgets\": []}")
                        .path("error")
                        .path("field")
                        .asText())
                .isEqualTo("gpuBudgets");
    }

    @Test
    void aRateBeyondAllBoundsIsALineThatIsRefusedNotTheEnd() {
        run(session);
        JsonNode error = ask("{\"timeSeconds\": 60, \"traffic\": {\"agg\": {\"seconds\": 0.001, \"requests\": 1e12}}}")
                .path("error");
        assertThat(error.path("detail").asText()).startsWith("requestsPerSecond must lie between");
        assertThat(ask("{\"timeSeconds\": 61}").has("recommendations")).isTrue();
    }

    @Test
    void asManyRequestsAsCanBeSaidAreNoMoreWorkThanAnEngineCanTakeUp() {
        run(session);
        JsonNode answer = ask("{\"timeSeconds\": 60, \"traffic\": {\"agg\": {\"seconds\": 1, \"requests\": 1e9,"
                + " \"inputTokens\": 1, \"outputTokens\": 1}}}");
        assertThat(answer.has("recommendations")).isTrue();
        assertThat(ask("{\"timeSeconds\": 61}").has("recommendations")).isTrue();
    }

    @Test
    void aBudgetOfATypeThatNoPoolIsOnIsRefused() {
        JsonNode error = ask("{" + POOLS + ", \"gpuBudgets\": [{\"gpuType\": \"h100\", \"maxGpus\": 4}]}")
                .path("error");
        assertThat(error.path("field").asText()).isEqualTo("gpuBudgets");
        assertThat(error.path("detail").asText()).contains("gpuBudgets[0].gpuType 'h100' is the gpu.type of no pool");
    }

    @Test
    void theSameLinesGiveTheSameAnswers() {
        assertThat(run(session)).isEqualTo(run(new StepSession(Optional.empty())));
    }

    @Test
    void theFirstLineNamesThePools() {
        assertThat(ask("{\"timeSeconds\": 1}").path("error").path("field").asText())
                .isEqualTo("pools");
        assertThat(ask("{" + POOLS + "}").path("pools").path(0).asText()).isEqualTo("agg");
        assertThat(ask("{" + POOLS + "}").path("error").path("field").asText()).isEqualTo("pools");
        JsonNode advice = ask("{\"timeSeconds\": 1}").path("recommendations").path(0);
        assertThat(advice.path("desiredReplicas").isNull()).isTrue();
        assertThat(advice.path("reason").asText()).isEqualTo("NO_DATA");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "not json | ``",
                "[] | ``",
                "{\"frames\": []} | timeSeconds",
                "{\"timeSeconds\": -1} | timeSeconds",
                "{\"timeSeconds\": \"1\"} | timeSeconds",
                "{\"timeSeconds\": 1e300} | timeSeconds",
                "{\"timeSeconds\": 5, \"fleet\": {\"agg\": {\"ready\": -1}}} | fleet.agg.ready",
                "{\"timeSeconds\": 5, \"fleet\": {\"agg\": {\"pending\": 1}}} | fleet.agg.ready",
                "{\"timeSeconds\": 5, \"fleet\": {\"agg\": {\"ready\": 1.5}}} | fleet.agg.ready",
                "{\"timeSeconds\": 5, \"fleet\": {\"other\": {\"ready\": 1}}} | fleet.other",
                "{\"timeSeconds\": 5, \"traffic\": {\"requests\": 3}} | traffic.seconds",
                "{\"timeSeconds\": 5, \"traffic\": {\"seconds\": 5, \"cachedShare\": 2}} | traffic.cachedShare",
                "{\"timeSeconds\": 5, \"frames\": {}} | frames",
                "{\"timeSeconds\": 5, \"frames\": [{\"pool\": \"x\"}]} | frames[0].pool",
                "{\"timeSeconds\": 5, \"frames\": [{\"timeSeconds\": 6, \"frame\": {\"wall_time\": 0.1}}]} | frames[0].timeSeconds",
                "{\"timeSeconds\": 5, \"fleets\": {}} | fleets"
            })
    void aWrongLineChangesNothingAndSaysWhatIsWrong(String line, String field) {
        ask("{" + POOLS + "}");
        ObjectNode answer = ask(line);
        assertThat(answer.path("error").path("field").asText()).isEqualTo(field);
        assertThat(answer.path("error").path("detail").asText()).isNotEmpty();
        assertThat(ask("{\"timeSeconds\": 2}").path("recommendations").size()).isEqualTo(1);
    }

    @Test
    void aFrameThatIsNoneIsListedAndTheOthersCount() {
        ask("{" + POOLS + "}");
        ObjectNode answer = ask("{\"timeSeconds\": 1, \"frames\": [" + frame(8, 4)
                + ", {\"msgpack\": \"gg==\"}, {\"frame\": {\"wall_time\": \"x\"}}]}");
        assertThat(answer.path("frames").path("accepted").asInt()).isEqualTo(1);
        assertThat(answer.path("frames").path("rejected").findValuesAsText("index"))
                .containsExactly("1", "2");
    }

    @Test
    void timeMustNotGoBack() {
        ask("{" + POOLS + "}");
        ask("{\"timeSeconds\": 10}");
        assertThat(ask("{\"timeSeconds\": 9}").path("error").path("field").asText())
                .isEqualTo("timeSeconds");
        assertThat(ask("{\"timeSeconds\": 10}").has("error")).isFalse();
    }

    @Test
    void aFrameThatIsHandedOnAgainIsASignOfLifeAndNoWork() {
        ask("{" + POOLS + "}");
        ask("{\"timeSeconds\": 1, \"frames\": [" + frame(1, 10) + "]}");
        for (int second = 6; second < 60; second += 5) {
            ObjectNode answer = ask("{\"timeSeconds\": " + second + ", \"frames\": [" + frame(1, 10) + "]}");
            JsonNode advice = answer.path("recommendations").path(0);
            assertThat(advice.path("readyReplicas").asInt())
                    .as("at %d s", second)
                    .isEqualTo(1);
            assertThat(advice.path("demand").path("decodeTokensPerSecond").asDouble())
                    .as("at %d s", second)
                    .isLessThan(3);
        }
    }

    @Test
    void anEngineThatDoesNotCountItsFramesDoesNotRestartWithEach() {
        ask("{" + POOLS + "}");
        ObjectNode answer = ask("{\"timeSeconds\": 0}");
        for (int second = 1; second <= 40; second++) {
            StringBuilder frames = new StringBuilder();
            for (int i = 0; i < 30; i++) {
                String uncounted = frame(i + 30L * second, 10 + i % 7)
                        .replaceFirst("\"sequence\": \\d+, ", "")
                        .replaceFirst("\"counter_id\": \\d+", "\"counter_id\": 0");
                frames.append(frames.isEmpty() ? "" : ",").append(uncounted);
            }
            answer = ask("{\"timeSeconds\": " + second + ", \"frames\": [" + frames + "]}");
        }
        assertThat(answer.path("recommendations").path(0).path("status").asText())
                .isNotEqualTo("UNDECIDED");
    }

    @Test
    void aQueueInFrontWakesAPoolWithoutReplicas() {
        ask("{\"pools\": [{\"id\": \"agg\", \"scaling\": {\"minReplicas\": 0, \"coldStartSeconds\": 30}}]}");
        JsonNode silent = ask("{\"timeSeconds\": 1, \"fleet\": {\"ready\": 0}}")
                .path("recommendations")
                .path(0);
        assertThat(silent.path("status").asText()).isEqualTo("UNDECIDED");
        JsonNode empty = ask("{\"timeSeconds\": 2, \"queue\": {\"requests\": 0}}")
                .path("recommendations")
                .path(0);
        assertThat(empty.path("status").asText()).isEqualTo("RIGHT_SIZED");
        assertThat(empty.path("desiredReplicas").asInt(-1)).isZero();
        JsonNode woken = ask("{\"timeSeconds\": 3, \"queue\": {\"requests\": 4}}")
                .path("recommendations")
                .path(0);
        assertThat(woken.path("reason").asText()).isEqualTo("REQUESTS_AT_ZERO");
        assertThat(woken.path("desiredReplicas").asInt()).isEqualTo(1);
    }

    @Test
    void sizesAreComparedInTheAnswer() {
        List<ObjectNode> answers = run(session);
        JsonNode outlook =
                answers.get(answers.size() - 1).path("recommendations").path(0).path("outlook");
        assertThat(outlook.path("current").path("replicas").asInt()).isEqualTo(1);
        assertThat(outlook.path("desired").path("attainment").asDouble())
                .isGreaterThan(outlook.path("current").path("attainment").asDouble());
        assertThat(outlook.path("runnerUp").path("replicas").asInt())
                .isNotEqualTo(outlook.path("desired").path("replicas").asInt());
        assertThat(outlook.path("whyNotRunnerUp").asText()).contains("would cost");
    }
}
