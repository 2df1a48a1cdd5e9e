/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.service.config.ConfigKey.ValueKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every key there is: what may stand in a file, an environment variable or a flag, and what the manual lists. */
public final class ConfigSchema {
    private static final List<String> ROLES = List.of("prefill", "decode", "aggregated");
    private static final List<String> TRANSPORTS = List.of("selector", "jeromq");
    private static final List<String> RULES = List.of("decode-first", "prefill-first");

    private static final List<ConfigKey> KEYS = List.of(
            text(
                    "http.host",
                    "127.0.0.1",
                    "Address or name to listen on. Without tokens or clients below, everybody who reaches it may use"
                            + " it."),
            integer("http.port", "8080", "TCP port, 0 to 65535; 0 lets the system choose."),
            integer("http.maxBodyBytes", "65536", "Largest request body, 1024 to 16777216 bytes; more gets 413."),
            text(
                    "http.tls.certificateFile",
                    "none",
                    "PEM file with the serving certificate, leaf first; with it the REST interface speaks TLS only."),
            text("http.tls.privateKeyFile", "none", "PEM file with its private key."),
            number(
                    "http.tls.reloadSeconds",
                    "10",
                    "How often certificates, authorities and tokens are looked at for changes, 1 to 3600 s."),
            text(
                    "http.tokens.readFile",
                    "none",
                    "File of bearer tokens that may read: one a line, or a name and a token, 16 characters at least."),
            text("http.tokens.ingestFile", "none", "File of tokens that may post frames and observations."),
            text("http.tokens.operateFile", "none", "File of tokens that may do everything."),
            text(
                    "http.clients.caFile",
                    "none",
                    "PEM file with the authorities of clients' certificates, in place of tokens or beside them; needs"
                            + " http.tls."),
            names("http.clients.readNames", "Common names of clients that may read; '*' stands for all."),
            names("http.clients.ingestNames", "Common names of clients that may post frames and observations."),
            names("http.clients.operateNames", "Common names of clients that may do everything."),
            names(
                    "http.allowedAddresses",
                    "Addresses and networks such as 10.0.0.0/8 that may ask, health included; none for all."),
            number(
                    "http.limits.requestsPerSecond",
                    "10000",
                    "Requests of one address, 1 to 1000000; a second's worth may come at once, more get 429."),
            integer(
                    "http.limits.connections",
                    "1024",
                    "Connections open at once, 1 to 100000; more are closed unread."),
            number("tickSeconds", "1", "Time between two plans, 0.05 to 60 s."),
            integer(
                    "handoffFrames",
                    "16384",
                    "Frames that may wait for the planner, 256 to 1048576, rounded up to a power of two; for more the"
                            + " oldest make room and are counted."),
            choice(
                    "zeromq.transport",
                    "selector",
                    TRANSPORTS,
                    "What receives from tcp:// sources: selector is the planner's own reader, which also serves all"
                            + " other ZeroMQ sources; jeromq is the JeroMQ library."),
            integer(
                    "zeromq.receiveHighWaterMark",
                    "1000",
                    "Messages that JeroMQ holds per connection while the service is behind, 1 to 1000000. More buys"
                            + " stale data, not completeness."),
            number("zeromq.reconnectSeconds", "0.1", "First wait before a lost connection is retried, 0.01 to 60 s."),
            number("zeromq.reconnectMaxSeconds", "2", "Longest such wait, reached by doubling; at most 600 s."),
            number("zeromq.resolveSeconds", "10", "How often host names are looked up again, 1 to 3600 s."),
            integer(
                    "zeromq.maxFrameBytes",
                    "65536",
                    "Largest FPM payload, 64 to 65536 bytes; larger ones are rejected and counted. A message part above"
                            + " four times this closes the connection unread."),
            names(
                    "zeromq.allowedAddresses",
                    "Addresses and networks such as 10.0.0.0/8 that may connect to sources that bind; none for all."),
            choice(
                    "scalers.undecided",
                    "refuse",
                    List.of("refuse", "hold"),
                    "What external metrics and KEDA are told while a pool is UNDECIDED: refuse is an error, hold the"
                            + " number that the recommendation holds."),
            new ConfigKey(
                    "metrics.aliases",
                    ValueKind.TEXT_LIST,
                    "[]",
                    List.of(),
                    "Further names under which metrics are exposed, for boards and autoscalers made for others:"
                            + " dynamo, wva, aibrix."),
            text("externalMetrics.host", "0.0.0.0", "Address or name that the TLS listener for kube-aggregator binds."),
            integer(
                    "externalMetrics.port",
                    "none",
                    "TCP port of that listener, 0 to 65535; leave it out to do without. The REST interface's port has"
                            + " the same paths in the clear."),
            text(
                    "externalMetrics.tls.certificateFile",
                    "none",
                    "PEM file with the serving certificate, leaf first; its alternative names must hold"
                            + " SERVICE.NAMESPACE.svc."),
            text("externalMetrics.tls.privateKeyFile", "none", "PEM file with its private key."),
            number(
                    "externalMetrics.tls.reloadSeconds",
                    "10",
                    "How often certificates and authorities are looked at for changes, 1 to 3600 s."),
            choice(
                    "externalMetrics.clients.trust",
                    "cluster",
                    List.of("cluster", "files", "anyone"),
                    "Who may ask there: cluster takes the authorities from kube-system's ConfigMap"
                            + " extension-apiserver-authentication, files from the keys below, anyone asks for no"
                            + " certificate."),
            text(
                    "externalMetrics.clients.requestHeaderCaFile",
                    "none",
                    "PEM file with the authority of front proxies, whose X-Remote-User is believed."),
            new ConfigKey(
                    "externalMetrics.clients.allowedNames",
                    ValueKind.TEXT_LIST,
                    "[]",
                    List.of(),
                    "Common names of front proxies that are believed; none for all that the authority signed."),
            text(
                    "externalMetrics.clients.clientCaFile",
                    "none",
                    "PEM file with the authority of users who come with a certificate of their own."),
            text("keda.host", "0.0.0.0", "Address or name that KEDA's external scaler binds."),
            integer(
                    "keda.port",
                    "none",
                    "TCP port of KEDA's external scaler and of the plugin for Dynamo's planner (gRPC), 0 to 65535;"
                            + " leave it out to do without."),
            text(
                    "keda.tls.certificateFile",
                    "none",
                    "PEM file with the serving certificate of that port, leaf first; with it the port speaks TLS"
                            + " only."),
            text("keda.tls.privateKeyFile", "none", "PEM file with its private key."),
            number(
                    "keda.tls.reloadSeconds",
                    "10",
                    "How often certificates, authorities and tokens are looked at for changes there, 1 to 3600 s."),
            choice(
                    "keda.access",
                    "same",
                    List.of("same", "anyone"),
                    "Who may call there: same is whoever may read on the REST interface, by http.tokens, http.clients"
                            + " and http.allowedAddresses; anyone is everybody who reaches the port. KEDA sends no tokens:"
                            + " give it a client certificate."),
            text(
                    "dynamo.model",
                    "\"\"",
                    "pools[].model of the pools that are told to Dynamo, by plugin and virtual connector; needed where"
                            + " several pools have the same role."),
            text(
                    "dynamo.registry.address",
                    "none",
                    "HOST:PORT where Dynamo's planner takes registrations of plugins; the plugin then registers itself"
                            + " there. Needs keda.port."),
            text(
                    "dynamo.registry.endpoint",
                    "none",
                    "grpc://HOST:PORT where Dynamo's planner reaches keda.port; required with that address."),
            text("dynamo.registry.pluginId", "fpm-planner", "Name of the plugin in that registry."),
            integer(
                    "dynamo.registry.priority",
                    "1",
                    "Which proposal counts there, 0 to 1000000: the smallest number wins. Dynamo's own have 5 and 10."),
            text(
                    "dynamo.registry.tokenFile",
                    "none",
                    "File with the secret that the registry asks for, read at each registration and heartbeat."),
            number(
                    "actuate.intervalSeconds",
                    "5",
                    "Where pools have targets: how often these are looked at, 0.1 to 300 s."),
            text(
                    "actuate.kubeconfig",
                    "none",
                    "File that says how the API server is reached; without one the pod's service account, else what"
                            + " kubectl would use."),
            text("actuate.lease.namespace", "none", "Namespace of that Lease."),
            text(
                    "actuate.lease.name",
                    "none",
                    "Lease that the one planner of several that acts holds; without one, this planner acts as if it"
                            + " were the only one."),
            text(
                    "state.directory",
                    "none",
                    "Directory in which what was learned outlives a restart; made if it is not there, kept from nobody"
                            + " else writing to it by a lock. Leave it out to start cold each time."),
            number("state.intervalSeconds", "5", "Time between two snapshots of it, 1 to 3600 s."),
            text("pools[].id", "required", "Label-safe name of the pool: 1 to 63 of a-z, 0-9 and '-'."),
            text("pools[].model", "\"\"", "Name of the served model, for people."),
            text(
                    "pools[].prior",
                    "none",
                    "Step times to start from: the name of a prior that comes with the planner, or a file saved from"
                            + " the export route. It fades within 200 steps of each kind, sooner if it errs."),
            choice("pools[].role", "aggregated", ROLES, "What the workers of the pool compute."),
            new ConfigKey(
                    "pools[].sources",
                    ValueKind.TEXT_LIST,
                    "required",
                    List.of(),
                    "Where the frames come from, e.g. tcp://HOST:PORT; every form is in the table of sources."),
            names(
                    "pools[].allowedWorkers",
                    "Worker ids whose frames are taken, with '*' for any characters, such as vllm-*; others are rejected as"
                            + " UNKNOWN_WORKER. None for all."),
            text(
                    "pools[].kubernetes.namespace",
                    "\"\"",
                    "Namespace that the pool's external metrics are shown in; empty for every namespace."),
            new ConfigKey(
                    "pools[].actuate.dryRun",
                    ValueKind.FLAG,
                    "true",
                    List.of(),
                    "Whether changes of the target are only told, in the log and over REST; false makes them."),
            text(
                    "pools[].actuate.target.kind",
                    "none",
                    "What the planner itself scales: Deployment, StatefulSet, LeaderWorkerSet or"
                            + " DynamoGraphDeploymentScalingAdapter; leave it out where others scale."),
            text(
                    "pools[].actuate.target.apiVersion",
                    "none",
                    "Group and version, where the cluster has another for that kind than apps/v1,"
                            + " leaderworkerset.x-k8s.io/v1 or nvidia.com/v1alpha1."),
            text(
                    "pools[].actuate.target.namespace",
                    "none",
                    "Namespace of the object that is scaled; without one that of pools[].kubernetes.namespace."),
            text("pools[].actuate.target.name", "none", "Name of the object that is scaled; required with its kind."),
            number(
                    "pools[].slo.ttftSeconds",
                    "1",
                    "Objective for the time to first token, queue wait included, > 0 s."),
            number("pools[].slo.itlSeconds", "0.05", "Objective for the time between tokens, > 0 s."),
            number("pools[].slo.attainment", "0.95", "Share of requests that must meet both, above 0 and at most 1."),
            integer(
                    "pools[].engine.maxBatchedTokens",
                    "8192",
                    "Token budget of one step (vLLM max_num_batched_tokens, SGLang chunked_prefill_size), at least 1. Give it as "
                            + "the engine has it: by it the last chunk of a prompt is told from the others."),
            integer(
                    "pools[].engine.maxSequences",
                    "256",
                    "Most requests that run at once on a rank (vLLM max_num_seqs, SGLang max_running_requests), at"
                            + " least 1."),
            integer(
                    "pools[].engine.kvCapacityTokens",
                    "none",
                    "Tokens that fit in the KV cache of a rank, at least 1; leave it out when not known."),
            choice(
                    "pools[].engine.schedulingRule",
                    "decode-first",
                    RULES,
                    "How a step is filled: decode-first is vLLM's way, prefill-first SGLang's."),
            integer(
                    "pools[].engine.contextTokens",
                    "none",
                    "Longest prompt and answer together that the engine accepts (vLLM max_model_len, SGLang context_length), at"
                            + " least 1; leave it out when not known. Questions about longer ones are refused."),
            integer("pools[].scaling.minReplicas", "1", "Never recommend fewer, at least 0."),
            integer("pools[].scaling.maxReplicas", "16", "Never recommend more, at least minReplicas and 1."),
            choice(
                    "pools[].scaling.objective",
                    "slo",
                    List.of("slo", "goodput-per-gpu"),
                    "slo: the fewest replicas with which the attainment holds; goodput-per-gpu: the most requests that"
                            + " meet their objectives per GPU-second."),
            number(
                    "pools[].scaling.targetUtilisation",
                    "0.9",
                    "Never size for more than this share of what a replica can serve within its objectives, 0.05 to"
                            + " 1."),
            number(
                    "pools[].scaling.scaleDownStabilisationSeconds",
                    "120",
                    "A smaller pool must have sufficed for this long before it is recommended, 0 to 86400 s; left out,"
                            + " as long as a cold start."),
            number(
                    "pools[].scaling.coldStartSeconds",
                    "120",
                    "From ordering a replica to its first frame, 0 to 86400 s; used until it was measured."),
            choice(
                    "pools[].scaling.mode",
                    "act",
                    List.of("act", "advisory"),
                    "act: scalers are given the number; advisory: it is decided and published, scalers are refused it,"
                            + " and it is never taken for an order."),
            integer(
                    "pools[].scaling.maxStepUp",
                    "none",
                    "Replicas that one growth may add, at least 1; left out, any number."),
            integer(
                    "pools[].scaling.maxStepDown",
                    "none",
                    "Replicas that one shrinking may take away, at least 1; left out, any number."),
            number(
                    "pools[].scaling.scaleUpCooldownSeconds",
                    "0",
                    "Time after a growth before the next one, 0 to 86400 s."),
            number(
                    "pools[].scaling.scaleDownCooldownSeconds",
                    "0",
                    "Time after any change before a shrinking, 0 to 86400 s."),
            number(
                    "pools[].scaling.drainSeconds",
                    "0",
                    "How long a replica that was given up keeps its GPUs to finish what it runs, 0 to 86400 s; counts"
                            + " as cost and against GPU budgets."),
            number(
                    "pools[].scaling.hpaTolerance",
                    "0.1",
                    "Relative change that the autoscaler which carries orders out ignores, 0 to 0.9; 0 if it ignores"
                            + " none."),
            choice(
                    "pools[].scaling.hpaSteps",
                    "say",
                    List.of("say", "exceed"),
                    "What becomes of changes within that tolerance: say recommends them and says so; exceed rounds"
                            + " growth up past it and lets shrinking wait until it is past it."),
            text(
                    "pools[].gpu.type",
                    "\"\"",
                    "Name of the GPUs of this pool, for budgets and for telling variants of a model apart."),
            integer("pools[].gpu.perReplica", "1", "GPUs that one replica occupies, 1 to 1024."),
            number(
                    "pools[].gpu.costPerHour",
                    "none",
                    "Price of one such GPU for an hour, > 0, in the same currency everywhere. Pools of one model and"
                            + " role that all have a price are variants: growth goes to the one that serves a request for"
                            + " less."),
            number("pools[].liveness.staleAfterSeconds", "5", "Silence after which a rank is STALE, > 0 s."),
            number(
                    "pools[].liveness.goneAfterSeconds",
                    "30",
                    "Silence after which a rank is dropped, > staleAfterSeconds."),
            integer(
                    "pools[].ranks.max",
                    "8192",
                    "Ranks kept at most, 1 to 1000000; frames of further ones are refused and counted."),
            integer(
                    "pools[].ranks.maxPerEndpoint",
                    "4096",
                    "Ranks kept at most of one endpoint, 1 to 1000000; all workers behind a broker share one."),
            text(
                    "gpuBudgets[].gpuType",
                    "\"\"",
                    "Type of GPU that this budget is for, the pools[].gpu.type of at least one pool; left out, all"
                            + " GPUs of all pools."),
            integer(
                    "gpuBudgets[].maxGpus",
                    "required",
                    "GPUs that all those pools may occupy together, draining replicas included, at least 1. Cuts"
                            + " growth only."));

    private ConfigSchema() {}

    /** All keys in the order of the tree. */
    public static List<ConfigKey> keys() {
        return KEYS;
    }

    /** The key at a concrete path such as {@code pools[0].slo.ttftSeconds}. */
    static Optional<ConfigKey> find(String concretePath) {
        String generic = concretePath.replaceAll("\\[\\d+]", "[]");
        return KEYS.stream().filter(key -> key.path().equals(generic)).findFirst();
    }

    /** Names that may stand below a section; the empty path is the root. */
    static List<String> childrenOf(String concretePath) {
        String generic = concretePath.replaceAll("\\[\\d+]", "[]");
        String prefix = generic.isEmpty() ? "" : generic + ".";
        return KEYS.stream()
                .map(ConfigKey::path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("[.\\[]", 2)[0])
                .distinct()
                .toList();
    }

    /** The table of the manual, in Markdown. */
    public static String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("| Key | Type | Default | Environment variable | Meaning |");
        lines.add("|---|---|---|---|---|");
        for (ConfigKey key : KEYS) {
            String type = key.choices().isEmpty() ? key.kind().words : String.join(", ", key.choices());
            lines.add("| `" + key.path() + "` | " + type + " | " + key.fallback() + " | `" + key.variable() + "` | "
                    + key.meaning() + " |");
        }
        return String.join("\n", lines) + "\n";
    }

    /** The key that an environment variable names, and its concrete path; empty if none does. */
    static Optional<Map.Entry<String, ConfigKey>> forVariable(String variable) {
        for (ConfigKey key : KEYS) {
            var matcher = key.variablePattern().matcher(variable);
            if (matcher.matches()) {
                String path = key.path();
                if (path.contains("[]")) {
                    path = path.replace("[]", "[" + matcher.group(1) + "]");
                }
                int groups = matcher.groupCount();
                if (key.kind() == ValueKind.TEXT_LIST && matcher.group(groups) != null) {
                    path = path + "[" + matcher.group(groups) + "]";
                }
                return Optional.of(Map.entry(path, key));
            }
        }
        return Optional.empty();
    }

    /** All names of variables with {@code N} for indices, for suggestions. */
    static Map<String, ConfigKey> variables() {
        Map<String, ConfigKey> variables = new LinkedHashMap<>();
        KEYS.forEach(key -> variables.put(key.variable(), key));
        return variables;
    }

    private static ConfigKey text(String path, String fallback, String meaning) {
        return new ConfigKey(path, ValueKind.TEXT, fallback, List.of(), meaning);
    }

    private static ConfigKey names(String path, String meaning) {
        return new ConfigKey(path, ValueKind.TEXT_LIST, "[]", List.of(), meaning);
    }

    private static ConfigKey integer(String path, String fallback, String meaning) {
        return new ConfigKey(path, ValueKind.INTEGER, fallback, List.of(), meaning);
    }

    private static ConfigKey number(String path, String fallback, String meaning) {
        return new ConfigKey(path, ValueKind.NUMBER, fallback, List.of(), meaning);
    }

    private static ConfigKey choice(String path, String fallback, List<String> choices, String meaning) {
        return new ConfigKey(path, ValueKind.CHOICE, fallback, choices, meaning);
    }
}
