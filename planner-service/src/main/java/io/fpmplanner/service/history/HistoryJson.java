/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.http.Fields;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Documents of the past. Numbers have four significant digits, which is more than a screen shows. */
final class HistoryJson {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double DIGITS = 1e4;

    private HistoryJson() {}

    static ObjectNode write(String pool, PoolHistory history, HistoryQuery query, long nowMillis) {
        Tier tier = history.tier(query.seconds() * 1_000L);
        long from = Math.max(nowMillis - query.seconds() * 1_000L, query.sinceMillis());
        int first = tier.firstAfter(from);
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("pool", pool);
        Fields.time(node, "now", nowMillis * NANOS_PER_MILLI);
        if (history.firstMillis() == Long.MAX_VALUE) {
            node.putNull("begin");
        } else {
            Fields.time(node, "begin", history.firstMillis() * NANOS_PER_MILLI);
        }
        node.put("stepSeconds", tier.stepMillis() / 1e3);
        ArrayNode times = node.putArray("times");
        ArrayNode evidence = node.putArray("evidence");
        for (int i = first; i < tier.size(); i++) {
            times.add(tier.startMillis(i) / 1e3);
            evidence.add(tier.evidence(i).name());
        }
        ObjectNode series = node.putObject("series");
        for (Series one : query.series()) {
            ArrayNode values = series.putArray(one.json());
            for (int i = first; i < tier.size(); i++) {
                number(values, tier.value(i, one));
            }
        }
        ArrayNode decisions = node.putArray("decisions");
        history.decisions().stream()
                .filter(decision -> decision.atMillis() > from)
                .forEach(decision -> decision(decisions.addObject(), decision));
        return node;
    }

    private static void decision(ObjectNode node, Decision decision) {
        Fields.time(node, "at", decision.atMillis() * NANOS_PER_MILLI);
        Fields.number(node, "previousReplicas", decision.previous());
        Fields.number(node, "desiredReplicas", decision.desired());
        node.put("status", decision.status().name())
                .put("reason", decision.reason().name())
                .put("limitedBy", decision.limitedBy().map(Enum::name).orElse(null))
                .put("message", decision.message());
    }

    static ObjectNode steps(String pool, StepSamples samples) {
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("pool", pool).put("interval", StepSamples.INTERVAL);
        ArrayNode regimes = node.putArray("regimes");
        for (StepRegime regime : StepRegime.values()) {
            List<StepSamples.Sample> found = samples.of(regime);
            ObjectNode one = regimes.addObject().put("regime", regime.name());
            column(one, "times", found, sample -> sample.atMillis() / 1e3);
            column(one, "predictedSeconds", found, sample -> rounded(sample.predictedSeconds()));
            column(one, "lowSeconds", found, sample -> rounded(sample.lowSeconds()));
            column(one, "highSeconds", found, sample -> rounded(sample.highSeconds()));
            column(one, "measuredSeconds", found, sample -> rounded(sample.measuredSeconds()));
        }
        return node;
    }

    private static void column(
            ObjectNode node,
            String name,
            List<StepSamples.Sample> samples,
            ToDoubleFunction<StepSamples.Sample> field) {
        ArrayNode values = node.putArray(name);
        samples.forEach(sample -> values.add(field.applyAsDouble(sample)));
    }

    private static void number(ArrayNode values, float value) {
        if (!Float.isFinite(value)) {
            values.addNull();
        } else if (value == Math.rint(value)) {
            values.add((long) value);
        } else {
            values.add(rounded(value));
        }
    }

    private static double rounded(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value;
        }
        double scale = Math.pow(10, Math.floor(Math.log10(Math.abs(value)))) / DIGITS * 10;
        double digits = Math.rint(value / scale);
        return scale < 1 ? digits / Math.rint(1 / scale) : digits * scale;
    }
}
