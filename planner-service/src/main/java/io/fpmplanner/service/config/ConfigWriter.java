/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.models.StepTimePrior;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/** Writes a configuration with all its keys, so that reading the text back gives the same configuration. */
public final class ConfigWriter {
    private ConfigWriter() {}

    /** The tree, for JSON. */
    public static ObjectNode tree(ServiceConfig config) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode http = root.putObject("http");
        http.put("host", config.http().host())
                .put("port", config.http().port())
                .put("maxBodyBytes", config.http().maxBodyBytes());
        AccessBinder.write(http, config.http().access());
        root.put("tickSeconds", config.tickSeconds()).put("handoffFrames", config.handoffFrames());
        ZeroMqSettings zeromq = config.zeromq();
        ObjectNode zeromqNode = root.putObject("zeromq")
                .put("transport", lower(zeromq.transport()))
                .put("receiveHighWaterMark", zeromq.receiveHighWaterMark())
                .put("reconnectSeconds", zeromq.reconnectSeconds())
                .put("reconnectMaxSeconds", zeromq.reconnectMaxSeconds())
                .put("resolveSeconds", zeromq.resolveSeconds())
                .put("maxFrameBytes", zeromq.maxFrameBytes());
        AccessBinder.write(zeromqNode.putArray("allowedAddresses"), zeromq.allowedAddresses());
        InterfaceWriter.write(root, config.interfaces());
        root.putObject("state")
                .put("directory", config.state().directory().map(Path::toString).orElse(null))
                .put("intervalSeconds", config.state().intervalSeconds());
        ArrayNode pools = root.putArray("pools");
        config.pools().forEach(pool -> write(pool, pools.addObject()));
        ArrayNode budgets = root.putArray("gpuBudgets");
        config.gpuBudgets()
                .forEach(budget ->
                        budgets.addObject().put("gpuType", budget.gpuType()).put("maxGpus", budget.maxGpus()));
        return root;
    }

    /** The tree as YAML. */
    public static String yaml(ServiceConfig config) {
        YAMLMapper mapper = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                .build();
        try {
            return mapper.writeValueAsString(tree(config));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
        }
    }

    private static void write(PoolConfig pool, ObjectNode node) {
        PoolSettings settings = pool.settings();
        node.put("id", settings.id()).put("model", settings.model()).put("role", lower(settings.role()));
        node.put("prior", settings.prior().map(StepTimePrior::name).orElse(null));
        ArrayNode sources = node.putArray("sources");
        pool.sources().forEach(source -> sources.add(source.toString()));
        AccessBinder.write(node.putArray("allowedWorkers"), pool.allowedWorkers());
        node.putObject("kubernetes").put("namespace", pool.namespace());
        InterfaceWriter.target(node, pool.target());
        node.putObject("slo")
                .put("ttftSeconds", settings.slo().ttftSeconds())
                .put("itlSeconds", settings.slo().itlSeconds())
                .put("attainment", settings.slo().attainment());
        EngineLimits engine = settings.limits();
        ObjectNode engineNode = node.putObject("engine")
                .put("maxBatchedTokens", engine.maxBatchedTokens())
                .put("maxSequences", engine.maxSequences());
        number(engineNode, "kvCapacityTokens", engine.kvCapacityTokens());
        engineNode.put("schedulingRule", lower(engine.schedulingRule()));
        number(engineNode, "contextTokens", engine.contextTokens());
        ScalingWriter.write(node, settings.scaling());
        node.putObject("liveness")
                .put("staleAfterSeconds", settings.liveness().staleAfterSeconds())
                .put("goneAfterSeconds", settings.liveness().goneAfterSeconds());
        node.putObject("ranks")
                .put("max", settings.ranks().max())
                .put("maxPerEndpoint", settings.ranks().maxPerEndpoint());
    }

    /** An enum constant as it is written in configuration and REST: lower case, words joined by hyphens. */
    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void number(ObjectNode node, String name, OptionalLong value) {
        if (value.isPresent()) {
            node.put(name, value.getAsLong());
        } else {
            node.putNull(name);
        }
    }
}
