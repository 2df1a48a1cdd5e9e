/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.prior;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.ModelReport;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * {@link LearnedStepTimes} as a JSON document, names as in the record, seconds and tokens throughout. Written and read
 * again it is the same to the last bit. A member {@code source} says where it was learned and is not read.
 */
public final class LearnedJson {
    /** Value of {@code format}, by which a document of another kind is told at once. */
    static final String FORMAT = "fpm-planner/learned-step-times";

    private LearnedJson() {}

    /** The document, with these facts on where it was learned. */
    public static ObjectNode write(LearnedStepTimes learned, ObjectNode source) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT).put("version", learned.version());
        root.set("source", source);
        root.put("framesLearned", learned.framesLearned());
        StepTimeSettings settings = learned.settings();
        ObjectNode settingsNode = root.putObject("settings");
        ArrayNode sizes = settingsNode.putArray("graphBatchSizes");
        settings.graphBatchSizes().forEach(sizes::add);
        settingsNode
                .put("eagerTokens", settings.eagerTokens())
                .put("forgetting", settings.forgetting())
                .put("framesNeeded", settings.framesNeeded());
        ArrayNode features = root.putArray("features");
        learned.features().forEach(features::add);
        numbers(root, "featureScales", learned.featureScales());
        LearnedStepTimes.SquareSums squares = learned.squares();
        ObjectNode squaresNode = root.putObject("squares")
                .put("frames", squares.frames())
                .put("weight", squares.weight())
                .put("targetEnergy", squares.targetEnergy());
        numbers(squaresNode, "information", squares.information());
        numbers(squaresNode, "vector", squares.vector());
        tables(root, learned);
        ModelReport.LargestSeen seen = learned.seen();
        root.putObject("seen")
                .put("prefillRequests", seen.prefillRequests())
                .put("prefillTokens", seen.prefillTokens())
                .put("prefillKvTokens", seen.prefillKvTokens())
                .put("decodeRequests", seen.decodeRequests())
                .put("decodeKvTokens", seen.decodeKvTokens())
                .put("prefillLengthVariance", seen.prefillLengthVariance());
        return root;
    }

    private static void tables(ObjectNode root, LearnedStepTimes learned) {
        ArrayNode regimes = root.putArray("regimes");
        learned.regimes().forEach(regime -> {
            ObjectNode node = regimes.addObject()
                    .put("regime", regime.regime().name())
                    .put("frames", regime.frames())
                    .put("typicalSeconds", regime.typicalSeconds())
                    .put("measuredSeconds", regime.measuredSeconds())
                    .put("predictedSeconds", regime.predictedSeconds());
            numbers(node, "logErrors", regime.logErrors());
            numbers(node, "blendLosses", regime.blendLosses());
        });
        ArrayNode scales = root.putArray("scales");
        learned.scales()
                .forEach(scale -> scales.addObject()
                        .put("bucket", scale.bucket())
                        .put("seconds", scale.seconds())
                        .put("frames", scale.frames()));
        ArrayNode corrections = root.putArray("corrections");
        learned.corrections()
                .forEach(correction -> corrections
                        .addObject()
                        .put("bucket", correction.bucket())
                        .put("recentLog", correction.recentLog())
                        .put("steadyLog", correction.steadyLog())
                        .put("frames", correction.frames()));
    }

    private static void numbers(ObjectNode node, String name, List<Double> values) {
        ArrayNode array = node.putArray(name);
        values.forEach(array::add);
    }

    /** Whether it is not of another version; a version that is missing or no number is for {@link #read} to complain of. */
    public static boolean isOfThisVersion(JsonNode root) {
        JsonNode version = root.path("version");
        return !version.isInt() || version.intValue() == LearnedStepTimes.VERSION;
    }

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException with a sentence that names the member and what is wrong with it
     */
    public static LearnedStepTimes read(JsonNode root) {
        if (!FORMAT.equals(root.path("format").asText())) {
            throw new IllegalArgumentException("format must be '" + FORMAT + "', was " + root.path("format"));
        }
        int version = integer(root, "version");
        if (version != LearnedStepTimes.VERSION) {
            // Before anything else: other versions may have other members.
            throw new IllegalArgumentException("version must be " + LearnedStepTimes.VERSION + ", was " + version);
        }
        JsonNode squares = member(root, "squares");
        JsonNode seen = member(root, "seen");
        return new LearnedStepTimes(
                version,
                settings(member(root, "settings")),
                list(root, "features", JsonNode::asText),
                numbers(root, "featureScales"),
                new LearnedStepTimes.SquareSums(
                        number(squares, "frames"),
                        number(squares, "weight"),
                        number(squares, "targetEnergy"),
                        numbers(squares, "information"),
                        numbers(squares, "vector")),
                whole(root, "framesLearned"),
                list(root, "regimes", LearnedJson::regime),
                list(
                        root,
                        "scales",
                        node -> new LearnedStepTimes.Scale(
                                integer(node, "bucket"), number(node, "seconds"), integer(node, "frames"))),
                list(
                        root,
                        "corrections",
                        node -> new LearnedStepTimes.Correction(
                                integer(node, "bucket"),
                                number(node, "recentLog"),
                                number(node, "steadyLog"),
                                whole(node, "frames"))),
                new ModelReport.LargestSeen(
                        number(seen, "prefillRequests"),
                        number(seen, "prefillTokens"),
                        number(seen, "prefillKvTokens"),
                        number(seen, "decodeRequests"),
                        number(seen, "decodeKvTokens"),
                        number(seen, "prefillLengthVariance")));
    }

    private static StepTimeSettings settings(JsonNode node) {
        return new StepTimeSettings(
                list(node, "graphBatchSizes", JsonNode::asInt),
                number(node, "eagerTokens"),
                number(node, "forgetting"),
                integer(node, "framesNeeded"));
    }

    private static LearnedStepTimes.RegimeSums regime(JsonNode node) {
        String name = member(node, "regime").asText();
        for (StepRegime regime : StepRegime.values()) {
            if (regime.name().equals(name)) {
                return new LearnedStepTimes.RegimeSums(
                        regime,
                        whole(node, "frames"),
                        number(node, "typicalSeconds"),
                        number(node, "measuredSeconds"),
                        number(node, "predictedSeconds"),
                        numbers(node, "logErrors"),
                        numbers(node, "blendLosses"));
            }
        }
        throw new IllegalArgumentException("regime must be one of " + List.of(StepRegime.values()) + ", was " + name);
    }

    private static JsonNode member(JsonNode node, String name) {
        JsonNode value = node.get(name);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static double number(JsonNode node, String name) {
        return number(name, member(node, name));
    }

    private static double number(String name, JsonNode value) {
        if (!value.isNumber()) {
            throw new IllegalArgumentException(name + " must be a number, was " + value);
        }
        return value.asDouble();
    }

    private static int integer(JsonNode node, String name) {
        JsonNode value = member(node, name);
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new IllegalArgumentException(name + " must be a whole number of 32 bits, was " + value);
        }
        return value.asInt();
    }

    private static long whole(JsonNode node, String name) {
        JsonNode value = member(node, name);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException(name + " must be a whole number, was " + value);
        }
        return value.asLong();
    }

    private static List<Double> numbers(JsonNode node, String name) {
        return list(node, name, value -> number(name, value));
    }

    private static <T> List<T> list(JsonNode node, String name, Function<JsonNode, T> entry) {
        JsonNode values = member(node, name);
        if (!values.isArray()) {
            throw new IllegalArgumentException(name + " must be a list, was " + values.getNodeType());
        }
        List<T> list = new ArrayList<>(values.size());
        values.forEach(value -> list.add(entry.apply(value)));
        return list;
    }
}
