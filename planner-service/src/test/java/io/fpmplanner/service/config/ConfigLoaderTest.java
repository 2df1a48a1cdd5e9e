/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    private static final String MINIMAL = """
            pools:
              - id: chat
                sources: ["tcp://10.0.0.7:20380"]
            """;

    @TempDir
    Path directory;

    @Test
    void aMinimalFileGetsDefaultsForEverythingElse() throws Exception {
        ServiceConfig config = load(MINIMAL, Map.of());

        assertThat(config.http()).isEqualTo(new HttpSettings("127.0.0.1", 8080, 65_536));
        assertThat(config.zeromq()).isEqualTo(ZeroMqSettings.defaults());
        PoolConfig pool = config.pools().get(0);
        assertThat(pool.settings().id()).isEqualTo("chat");
        assertThat(pool.settings().role()).isEqualTo(Role.AGGREGATED);
        assertThat(pool.settings().limits().kvCapacityTokens()).isEmpty();
        assertThat(pool.sources()).containsExactly(tcp("10.0.0.7", 20380, 20380));
    }

    @Test
    void aPriorIsFoundByNameAndAnUnknownOneRefusedWithWhatThereIs() throws Exception {
        String name = "vllm-0.20.1-b300-qwen3-32b-tp1";
        ServiceConfig config = load(MINIMAL, Map.of("PLANNER_POOLS_0_PRIOR", name));

        assertThat(config.pools().get(0).settings().prior().orElseThrow().name())
                .isEqualTo(name);
        assertThat(load(ConfigWriter.yaml(config), Map.of())).isEqualTo(config);
        assertThatThrownBy(() -> load(MINIMAL, Map.of("PLANNER_POOLS_0_PRIOR", "qwen")))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .startsWith("pools[0].prior: 'qwen' is neither a file nor one of"));
    }

    @Test
    void aFullFileIsReadInWhole() throws Exception {
        ServiceConfig config = load(FULL, Map.of());

        PoolConfig pool = config.pools().get(1);
        assertThat(pool.settings().role()).isEqualTo(Role.DECODE);
        assertThat(pool.settings().slo().itlSeconds()).isEqualTo(0.03);
        assertThat(pool.settings().limits().kvCapacityTokens()).hasValue(500_000);
        assertThat(pool.settings().limits().schedulingRule()).isEqualTo(SchedulingRule.PREFILL_FIRST);
        assertThat(pool.settings().scaling().minReplicas()).isEqualTo(2);
        assertThat(pool.settings().liveness().goneAfterSeconds()).isEqualTo(12);
        assertThat(pool.sources()).containsExactly(tcp("decode-0", 20380, 20387), tcp("::1", 5, 5));
        assertThat(config.tickSeconds()).isEqualTo(0.5);
        assertThat(config.zeromq().reconnectMaxSeconds()).isEqualTo(5);
    }

    @Test
    void whatIsPrintedReadsBackAsTheSameConfigurationAndHasEveryKey() throws Exception {
        for (String text : List.of(MINIMAL, FULL)) {
            ServiceConfig config = load(text, Map.of());

            String yaml = ConfigWriter.yaml(config);
            String json = ConfigWriter.tree(config).toString();

            assertThat(load(yaml, Map.of())).isEqualTo(config);
            assertThat(load(json, Map.of())).isEqualTo(config);
            // A list that is empty by default shows no keys.
            assertThat(paths(config).stream().filter(path -> !path.startsWith("gpuBudgets")))
                    .containsExactlyInAnyOrderElementsOf(ConfigSchema.keys().stream()
                            .map(ConfigKey::path)
                            .filter(path -> !path.startsWith("gpuBudgets"))
                            .toList());
        }
    }

    @Test
    void theDefaultsInTheManualAreTheDefaultsInForce() throws Exception {
        ServiceConfig config = load(MINIMAL, Map.of());
        for (ConfigKey key : ConfigSchema.keys()) {
            String pointer = "/" + key.path().replace("[]", "/0").replace('.', '/');
            var value = ConfigWriter.tree(config).at(pointer);
            switch (key.fallback()) {
                case "required" -> assertThat(value.isNull()).isFalse();
                case "none" -> assertThat(value.isNull()).as(key.path()).isTrue();
                case "[]" ->
                    assertThat(value.isArray() && value.isEmpty())
                            .as(key.path())
                            .isTrue();
                case "\"\"" -> assertThat(value.asText()).as(key.path()).isEmpty();
                default -> {
                    if (value.isNumber()) {
                        assertThat(value.asDouble()).as(key.path()).isEqualTo(Double.parseDouble(key.fallback()));
                    } else {
                        assertThat(value.asText()).as(key.path()).isEqualTo(key.fallback());
                    }
                }
            }
        }
    }

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws Exception {
        Map<String, String> environment = Map.of(
                "PLANNER_HTTP_PORT", "9001",
                "PLANNER_TICK_SECONDS", "2",
                "PLANNER_POOLS_0_SLO_TTFT_SECONDS", "0.25");
        Path file = write("http: {port: 9000, host: 0.0.0.0}\ntickSeconds: 3\n" + MINIMAL);

        ServiceConfig config = ConfigLoader.load(Optional.of(file), environment, List.of("http.port=9002"))
                .config();

        assertThat(config.http().port()).isEqualTo(9002);
        assertThat(config.http().host()).isEqualTo("0.0.0.0");
        assertThat(config.tickSeconds()).isEqualTo(2);
        assertThat(config.pools().get(0).settings().slo().ttftSeconds()).isEqualTo(0.25);
    }

    @Test
    void theEnvironmentAloneCanDescribePools() throws Exception {
        Map<String, String> environment = Map.of(
                "PLANNER_POOLS_0_ID", "prefill",
                "PLANNER_POOLS_0_ROLE", "PREFILL",
                "PLANNER_POOLS_0_SOURCES", "tcp://a:1, tcp://b:2-3",
                "PLANNER_POOLS_1_ID", "decode",
                "PLANNER_POOLS_1_SOURCES_0", "tcp://c:1",
                "PLANNER_POOLS_1_ENGINE_SCHEDULING_RULE", "PREFILL_FIRST");

        ServiceConfig config =
                ConfigLoader.load(Optional.empty(), environment, List.of()).config();

        assertThat(config.pools()).hasSize(2);
        assertThat(config.pools().get(0).settings().role()).isEqualTo(Role.PREFILL);
        assertThat(config.pools().get(0).sources()).containsExactly(tcp("a", 1, 1), tcp("b", 2, 3));
        assertThat(config.pools().get(1).settings().limits().schedulingRule()).isEqualTo(SchedulingRule.PREFILL_FIRST);
    }

    @Test
    void everyKeyHasAVariableThatFindsItAgain() {
        for (ConfigKey key : ConfigSchema.keys()) {
            String variable = key.variable().replace("_N_", "_0_");
            assertThat(ConfigSchema.forVariable(variable))
                    .as(variable)
                    .hasValueSatisfying(entry ->
                            assertThat(entry.getKey()).isEqualTo(key.path().replace("[]", "[0]")));
        }
    }

    @Test
    void aMistypedVariableIsAWarningAndServiceLinksOfKubernetesAreNot() throws Exception {
        Map<String, String> environment = Map.of(
                "PLANNER_HTTP_PORTT", "1",
                "PLANNER_SERVICE_HOST", "10.0.0.1",
                "PLANNER_SERVICE_PORT", "80",
                "PLANNER_PORT", "tcp://10.0.0.1:80",
                "PLANNER_PORT_80_TCP_ADDR", "10.0.0.1",
                "PLANNER_JAVA_OPTS", "-Xmx1g",
                "PLANNER_NO_BUILD", "1",
                "PLANNER_ARCHIVE", "planner.tar.gz",
                "PATH", "/bin");

        var resolved = ConfigLoader.load(Optional.of(write(MINIMAL)), environment, List.of());

        assertThat(resolved.warnings())
                .filteredOn(warning -> !warning.contains("maxBatchedTokens is not given, so 8192"))
                .singleElement()
                .asString()
                .contains("PLANNER_HTTP_PORTT", "'PLANNER_HTTP_PORT'");
    }

    @Test
    void allErrorsAreReportedAtOnceEachWithItsPath() throws Exception {
        List<String> problems = problems("""
                htpp: {port: 1}
                http: {port: 70000, hots: x}
                tickSeconds: soon
                pools:
                  - id: Chat!
                    role: decoder
                    sources: ["tcp://a:20380", "udp://b:1", "tcp://c:9-3", 5]
                    slo: {ttftSeconds: -1, itlSecond: 2}
                    engine: {maxSequences: 2.5, kvCapacityTokens: many}
                    liveness: {staleAfterSeconds: 9, goneAfterSeconds: 3}
                  - model: 7
                handoffFrames: 3
                keda: {port: 70000}
                externalMetrics: {port: -1, tls: {certificateFile: a.crt}}
                """);

        assertThat(problems)
                .contains("handoffFrames must lie between 256 and 1048576, was 3")
                .anySatisfy(line -> assertThat(line).startsWith("keda.port must lie between 0 and 65535, was 70000"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("externalMetrics.port must lie between 0 and 65535, was -1"))
                .anySatisfy(line -> assertThat(line).startsWith("externalMetrics.tls.privateKeyFile is required"))
                .anySatisfy(line -> assertThat(line).startsWith("htpp is not a known key, did you mean 'http'?"))
                .anySatisfy(line -> assertThat(line).startsWith("http.hots is not a known key, did you mean 'host'?"))
                .anySatisfy(line -> assertThat(line).startsWith("http.port must lie between 0 and 65535, was 70000"))
                .anySatisfy(line -> assertThat(line).startsWith("tickSeconds must be a number, was \"soon\""))
                .anySatisfy(line -> assertThat(line).startsWith("pools[0].id must be 1 to 63 of a-z"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("pools[0].role must be one of prefill, decode, aggregated, was 'decoder'")
                        .endsWith("did you mean 'decode'?"))
                .anySatisfy(line -> assertThat(line).startsWith("pools[0].sources[1] must be one of tcp://HOST:PORT"))
                .anySatisfy(line -> assertThat(line).startsWith("pools[0].sources[2] last port must lie between 9"))
                .anySatisfy(line -> assertThat(line).startsWith("pools[0].sources[3] must be a string, was 5"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("pools[0].slo.ttftSeconds must be a positive number, was -1"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("pools[0].slo.itlSecond is not a known key, did you mean 'itlSeconds'?"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("pools[0].engine.maxSequences must be a whole number, was 2.5"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("pools[0].engine.kvCapacityTokens must be a whole number, was \"many\""))
                .anySatisfy(line -> assertThat(line).startsWith("pools[0].liveness.goneAfterSeconds must exceed"))
                .anySatisfy(line -> assertThat(line).startsWith("pools[1].model must be a string, was 7"))
                .contains("pools[1].id is required")
                .anySatisfy(line -> assertThat(line).startsWith("pools[1].sources must have at least one entry"));
    }

    @Test
    void allValuesOfOneSectionThatAreOutOfRangeAreReportedAtOnce() throws Exception {
        List<String> problems = problems("""
                pools:
                  - id: chat
                    sources: ["tcp://a:20380"]
                    slo: {ttftSeconds: -1, itlSeconds: 0, attainment: 2}
                    scaling: {minReplicas: -1, targetUtilisation: 3, coldStartSeconds: -2}
                """);

        assertThat(problems)
                .hasSize(6)
                .anyMatch(line -> line.startsWith("pools[0].slo.ttftSeconds"))
                .anyMatch(line -> line.startsWith("pools[0].slo.itlSeconds"))
                .anyMatch(line -> line.startsWith("pools[0].slo.attainment"))
                .anyMatch(line -> line.startsWith("pools[0].scaling.minReplicas"))
                .anyMatch(line -> line.startsWith("pools[0].scaling.targetUtilisation"))
                .anyMatch(line -> line.startsWith("pools[0].scaling.coldStartSeconds"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http.port=-1 | http.port must lie between 0 and 65535, was -1",
                "http.host=  | http.host must not be blank",
                "http.host=a\u0007b | http.host must be an address or a name",
                "http.maxBodyBytes=1 | http.maxBodyBytes must lie between 1024 and 16777216, was 1",
                "http.port=99999999999 | http.port must fit in 32 bits",
                "tickSeconds=0 | tickSeconds must lie between 0.05 and 60, was 0",
                "tickSeconds=.nan | tickSeconds must be a number, was '.nan' (--set)",
                "handoffFrames=1 | handoffFrames must lie between 256 and 1048576, was 1",
                "zeromq.receiveHighWaterMark=0 | zeromq.receiveHighWaterMark must lie between",
                "zeromq.reconnectSeconds=0 | zeromq.reconnectSeconds must lie between",
                "zeromq.reconnectMaxSeconds=0.01 | zeromq.reconnectMaxSeconds must lie between 0.1 and 600",
                "zeromq.resolveSeconds=0 | zeromq.resolveSeconds must lie between",
                "zeromq.maxFrameBytes=1 | zeromq.maxFrameBytes must lie between",
                "pools[0].id= | pools[0].id is required",
                "pools[0].slo.attainment=1.5 | pools[0].slo.attainment must lie above 0",
                "pools[0].slo.itlSeconds=0 | pools[0].slo.itlSeconds must be a positive number",
                "pools[0].engine.maxBatchedTokens=0 | pools[0].engine.maxBatchedTokens must be at least 1, was 0",
                "pools[0].engine.schedulingRule=fifo | pools[0].engine.schedulingRule must be one of decode-first",
                "pools[0].scaling.minReplicas=20 | pools[0].scaling.maxReplicas must be at least 20",
                "pools[0].scaling.targetUtilisation=0 | pools[0].scaling.targetUtilisation must lie between",
                "pools[0].sources[0]=tcpp://a:1 | pools[0].sources[0] must be one of tcp://HOST:PORT",
                "pools[0].sources= | pools[0].sources must have at least one entry",
                "pools[4].id=x | pools[4].id is beyond the end of its list, which has 1 entries (--set)",
                "pools[0].slo.ttft=1 | pools[0].slo.ttft is not a known key",
                "pools=1 | pools has keys of its own",
                "nonsense | --set nonsense must have the form PATH=VALUE",
                "http.port=a: b: c | http.port must be a whole number",
            })
    void aBadSettingIsNamed(String setting, String expected) throws Exception {
        Path file = write(MINIMAL);

        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> ConfigLoader.load(Optional.of(file), Map.of(), List.of(setting)));

        assertThat(thrown).as(setting).isNotNull();
        assertThat(thrown.problems()).anySatisfy(line -> assertThat(line).startsWith(expected));
    }

    @Test
    void moreEndpointsThanRanksAreWarnedOf() throws Exception {
        List<String> settings = List.of(
                "pools[0].id=chat", "pools[0].sources=tcp://a:20000-20099", "pools[0].engine.maxBatchedTokens=2048");

        List<String> plenty = new ArrayList<>(settings);
        assertThat(ConfigLoader.load(Optional.empty(), Map.of(), plenty).warnings())
                .isEmpty();
        plenty.add("pools[0].ranks.max=99");
        assertThat(ConfigLoader.load(Optional.empty(), Map.of(), plenty).warnings())
                .singleElement()
                .asString()
                .contains("pools[0].sources", "100 endpoints", "99");
    }

    @Test
    void warningsAreToldBesideProblems() {
        assertThatThrownBy(() -> ConfigLoader.load(Optional.empty(), Map.of("PLANNER_HTP_PORT", "1"), List.of()))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.warnings()).singleElement().asString().contains("PLANNER_HTP_PORT"));
    }

    @Test
    void whatIsQuotedStaysOneLineOfPlainText() throws Exception {
        assertThat(problems("pools: [{id: \"a\\u0007\\n\\u2028b\", role: aggregated, sources: [\"tcp://a:1\"]}]"))
                .singleElement()
                .asString()
                .endsWith("was 'a\\u0007\\u000a\\u2028b'");
    }

    @Test
    void idsAndEndpointsBelongToOnePool() throws Exception {
        assertThat(problems(MINIMAL + "  - {id: chat, sources: ['tcp://b:1']}\n"))
                .containsExactly("pools[1].id 'chat' is already the id of pools[0]");
        assertThat(problems(MINIMAL + "  - {id: other, sources: ['tcp://b:1', 'tcp://10.0.0.7:20378-20380']}\n"))
                .singleElement()
                .asString()
                .startsWith("pools[1].sources[1] tcp://10.0.0.7:20378-20380 is already a source of pools[0]");
    }

    @ParameterizedTest
    @CsvSource({
        "tcp://[::1]:5, tcp://[0:0:0:0:0:0:0:1]:5",
        "tcp://127.0.0.1:5, tcp://LOCALHOST:1-9",
        "tcp://localhost:5, tcp://[::1]:5",
        "tcp://[::ffff:10.0.0.8]:5, tcp://10.0.0.8:5",
        "tcp://engine.llm.svc:5, tcp://Engine.llm.svc.:5",
    })
    void oneEndpointSpeltInTwoWaysStillBelongsToOnePool(String first, String second) throws Exception {
        assertThat(problems(
                        "pools:\n  - {id: a, sources: ['" + first + "']}\n  - {id: b, sources: ['" + second + "']}\n"))
                .singleElement()
                .asString()
                .startsWith("pools[1].sources[0] tcp://")
                .endsWith("is already a source of pools[0]");
    }

    @Test
    void differentHostsAndPortsStayApart() throws Exception {
        assertThat(load("""
                        pools:
                          - {id: a, sources: ['tcp://127.0.0.1:5', 'tcp://a:1-5']}
                          - {id: b, sources: ['tcp://[::1]:5', 'tcp://127.0.0.2:5', 'tcp://a:6', 'tcp://localhost:6']}
                        """, Map.of()).pools()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keda.port: 8080 | keda.port listens on port 8080, which http.port has already",
                "keda.port: 9000 | pools[0].sources[0] tcp+bind://*:9000 listens on port 9000, which keda.port has already",
            })
    void aPortIsListenedOnOnce(String option, String problem) throws Exception {
        String[] parts = option.split("[.:] ?", -1);
        String pools = "pools: [{id: a, sources: ['tcp+bind://*:9000', 'kv+tcp+bind://10.0.0.7:9001']}]\n";
        assertThat(problems(pools + parts[0] + ": {host: 0.0.0.0, " + parts[1] + ": " + parts[2] + "}\n"))
                .containsExactly(problem);
        assertThat(problems("pools: [{id: a, sources: ['tcp+bind://*:9000', 'kv+tcp+bind://10.0.0.7:9000']}]"))
                .hasSize(1);
    }

    @Test
    void anEntryThatAnotherOfThePoolCoversIsRefused() throws Exception {
        assertThat(problems("pools: [{id: a, sources: ['tcp://a:1-5', 'tcp://b:1', 'tcp://a:5-6']}]"))
                .containsExactly("pools[0].sources[2] tcp://a:5-6 is already covered by pools[0].sources[0]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*:5", "999.1.1.1:5", "1.2.3:5", "10.0.0.07:5", "[1::2::3]:5", "[12345::]:5", ".:5"})
    void hostsThatCannotBeAreRefused(String address) throws Exception {
        assertThat(problems("pools: [{id: a, sources: ['tcp://" + address + "']}]"))
                .singleElement()
                .asString()
                .startsWith("pools[0].sources[0] ");
    }

    @Test
    void moreEndpointsThanCanBeAreRefused() throws Exception {
        assertThat(problems("pools: [{id: a, sources: ['tcp://a:1-9000', 'tcp://b:1-9000']}]"))
                .containsExactly(
                        "pools[0].sources[1] tcp://b:1-9000 has 9000 ports, which makes 18000 endpoints in all;"
                                + " at most 10000 are possible");
        assertThat(load("pools: [{id: a, sources: ['tcp://a:1-10000']}]", Map.of())
                        .pools())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pools: {id: a} | pools must be a list, was {\"id\":\"a\"}",
                "pools: a | pools must be a list, was \"a\"",
                "pools: [a] | pools[0] must be a section with keys, was \"a\"",
                "pools: [[]] | pools[0] must be a section with keys, was []",
                "pools: [{id: a, sources: {b: 'tcp://c:1'}}] |"
                        + " pools[0].sources must be a list of strings, was {\"b\":\"tcp://c:1\"}",
                "pools: [{id: a, sources: 'tcp://c:1'}] |"
                        + " pools[0].sources must be a list of strings, was \"tcp://c:1\"",
                "pools: [{id: a, sources: [[]]}] | pools[0].sources[0] must be a string, was []",
                "pools: [{id: {}, sources: ['tcp://c:1']}] | pools[0].id must be a string, was {}",
                "pools: [{id: 7, sources: ['tcp://c:1']}] | pools[0].id must be a string, was 7 (put it in quotes)",
                "pools: [] | pools must have at least one entry",
                "{} | pools must have at least one entry",
                "pools: [{id: a, slo: [], sources: ['tcp://c:1']}] | pools[0].slo must be a section with keys, was []",
            })
    void aValueOfAnotherShapeIsOneProblem(String yaml, String expected) throws Exception {
        assertThat(problems(yaml)).containsExactly(expected);
    }

    @Test
    void anEnvironmentThatDoesNotFitTheFileIsAProblem() throws Exception {
        Path file = write("http: []\npools: {id: a}\n");
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class,
                () -> ConfigLoader.load(
                        Optional.of(file), Map.of("PLANNER_POOLS_0_ID", "x", "PLANNER_HTTP_PORT", "1"), List.of()));

        assertThat(thrown.problems())
                .contains(
                        "http.port cannot be set: what it is to be part of is a list"
                                + " (environment variable PLANNER_HTTP_PORT)",
                        "pools[0].id cannot be set: what it is to be part of is a section with keys"
                                + " (environment variable PLANNER_POOLS_0_ID)");
    }

    @Test
    void withoutPoolsThereIsOneProblemOfThem() {
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> ConfigLoader.load(Optional.empty(), Map.of(), List.of()));

        assertThat(thrown.problems())
                .containsExactly(
                        "pools must have at least one entry (no configuration file was given: use --config FILE)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model: &m x\\nhttp: {host: *m}\\n | planner.yaml:2:14: the alias *m is not supported",
                "a: &s {b: 1}\\nc: *s\\n | planner.yaml:2:4: the alias *s is not supported",
                "a: &s {b: 1}\\nc:\\n  <<: *s\\n | planner.yaml:3:7: the alias *s is not supported",
                "pools: []\\n---\\npools: []\\n | a second document",
                "--- {pools: []}\\n--- {}\\n | a second document",
                "pools: []\\n]\\n | planner.yaml:",
                "{pools: []} x\\n | planner.yaml:",
            })
    void aliasesAndWhatFollowsTheDocumentAreRefused(String yaml, String expected) throws Exception {
        assertThat(problems(yaml.replace("\\n", "\n")))
                .singleElement()
                .asString()
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pools: [", "a: 1\na: 2", "\t- x", "just text", "- a\n- b", "%"})
    void aFileThatIsNotAYamlMapIsRefusedWithItsName(String text) throws Exception {
        assertThat(problems(text)).singleElement().asString().contains("planner.yaml");
    }

    @Test
    void anEmptyMissingOrBinaryFileIsRefused() throws Exception {
        assertThat(problems("")).containsExactly("pools must have at least one entry");
        Path missing = directory.resolve("absent.yaml");
        assertThat(catchThrowableOfType(
                        ConfigException.class, () -> ConfigLoader.load(Optional.of(missing), Map.of(), List.of())))
                .hasMessageContaining("absent.yaml: no such file");
        Path binary = directory.resolve("binary.yaml");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThat(catchThrowableOfType(
                        ConfigException.class, () -> ConfigLoader.load(Optional.of(binary), Map.of(), List.of())))
                .hasMessageContaining("binary.yaml: not UTF-8");
        assertThat(catchThrowableOfType(
                        ConfigException.class, () -> ConfigLoader.load(Optional.empty(), Map.of(), List.of())))
                .hasMessageContaining("--config FILE");
    }

    private static TcpSource tcp(String host, int firstPort, int lastPort) {
        return new TcpSource(new HostPorts(host, firstPort, lastPort));
    }

    private ServiceConfig load(String yaml, Map<String, String> environment) throws Exception {
        return ConfigLoader.load(Optional.of(write(yaml)), environment, List.of())
                .config();
    }

    private List<String> problems(String yaml) throws Exception {
        Path file = write(yaml);
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> ConfigLoader.load(Optional.of(file), Map.of(), List.of()));
        assertThat(thrown).isNotNull();
        return thrown.problems();
    }

    private Path write(String yaml) throws Exception {
        return Files.write(directory.resolve("planner.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> paths(ServiceConfig config) {
        var found = new TreeSet<String>();
        collect("", ConfigWriter.tree(config), found);
        return new ArrayList<>(found);
    }

    private static void collect(String path, com.fasterxml.jackson.databind.JsonNode node, java.util.Set<String> into) {
        if (node.isObject()) {
            node.properties()
                    .forEach(entry -> collect(
                            path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(), entry.getValue(), into));
        } else if (node.isArray() && node.path(0).isObject()) {
            node.forEach(child -> collect(path + "[]", child, into));
        } else {
            into.add(path);
        }
    }

    private static final String FULL = """
            http: {host: "::1", port: 0, maxBodyBytes: 2048}
            tickSeconds: 0.5
            handoffFrames: 1000
            zeromq: {receiveHighWaterMark: 10, reconnectSeconds: 1, reconnectMaxSeconds: 5, resolveSeconds: 60,
                     maxFrameBytes: 1024}
            pools:
              - id: prefill
                model: "7"
                role: prefill
                sources: [tcp://prefill-0:20380]
              - id: decode
                model: llama
                role: decode
                sources: [tcp://decode-0:20380-20387, "tcp://[::1]:5"]
                slo: {ttftSeconds: 0.5, itlSeconds: 0.03, attainment: 0.99}
                engine: {maxBatchedTokens: 4096, maxSequences: 64, kvCapacityTokens: 500000,
                         schedulingRule: prefill-first}
                scaling: {minReplicas: 2, maxReplicas: 8, targetUtilisation: 0.7, scaleDownStabilisationSeconds: 60,
                          coldStartSeconds: 30}
                liveness: {staleAfterSeconds: 3, goneAfterSeconds: 12}
                gpu: {type: h100, perReplica: 2, costPerHour: 3.5}
            gpuBudgets: [{gpuType: h100, maxGpus: 12}]
            """;

    @Test
    void aBudgetForAMistypedTypeIsAProblem() throws Exception {
        String yaml = FULL.replace("gpuBudgets: [{gpuType: h100,", "gpuBudgets: [{gpuType: h10,");
        assertThat(problems(yaml))
                .containsExactly("gpuBudgets[0].gpuType 'h10' is the gpu.type of no pool, did you mean 'h100'?");
    }

    @Test
    void moreThanTenPoolsCanBeSetByVariables() throws Exception {
        Map<String, String> environment = new java.util.HashMap<>();
        for (int i = 0; i < 25; i++) {
            environment.put("PLANNER_POOLS_" + i + "_ID", "pool-" + i);
            environment.put("PLANNER_POOLS_" + i + "_SOURCES", "tcp://c:" + (1 + i));
        }
        assertThat(ConfigLoader.load(Optional.empty(), environment, List.of())
                        .config()
                        .pools())
                .extracting(pool -> pool.settings().id())
                .contains("pool-24")
                .hasSize(25);
    }
}
