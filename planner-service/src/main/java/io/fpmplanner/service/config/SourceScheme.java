/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The table of all kinds of sources: how an entry begins, what forms it has and what it is for. */
public enum SourceScheme {
    TCP(
            "tcp://",
            "`tcp://HOST:PORT` or `tcp://HOST:FIRST-LAST`",
            "Connects to ZeroMQ publishers, one port per rank. A name with several addresses stands for all of them.",
            TcpSource::parse),
    TCP_BIND(
            "tcp+bind://",
            "`tcp+bind://ADDRESS:PORT`",
            "Listens; relays and ZeroMQ publishers connect. `*` stands for every address of this machine.",
            TcpBindSource::parse),
    IPC(
            "ipc://",
            "`ipc:///PATH`",
            "Connects to ZeroMQ publishers on Unix-domain sockets, as SGLang's are. A pattern such as"
                    + " `ipc:///run/fpm.*` stands for all socket files it matches, also those that come later.",
            IpcSource::parse),
    DYNAMO(
            "dynamo+tcp://",
            "`dynamo+tcp://HOST:PORT` or `dynamo+tcp://HOST:FIRST-LAST`",
            "Connects to publishers of Dynamo's event plane over ZeroMQ, without a broker.",
            DynamoSource::direct),
    DYNAMO_BROKER(
            "dynamo-broker+tcp://",
            "`dynamo-broker+tcp://HOST:PORT` or `dynamo-broker+tcp://HOST:PORT/SUBJECT`",
            "Connects to the XPUB side of the event plane's ZeroMQ broker; with the beginning of a subject, only for"
                    + " events under it, such as `namespace.prod.`.",
            DynamoSource::broker),
    HTTP(
            "http",
            "`http`",
            "Takes frames that are posted to `/v1/frames?pool=ID` or `/v1/pools/{pool}/frames`, for engines without"
                    + " ZeroMQ.",
            rest -> new HttpSource()),
    NDJSON(
            "ndjson+unix://",
            "`ndjson+unix:///PATH`",
            "Listens on a Unix socket for Dynamo's `common.export_forward_pass_metrics`, which connects to it, and for"
                    + " others that write one JSON frame a line.",
            NdjsonSource::parse),
    NATS(
            "nats://",
            "`nats://HOST:PORT/SUBJECT`",
            "Subscribes to Dynamo's event plane over NATS, e.g. `namespace.NS.component.backend.>`; `*` stands for one"
                    + " token, `>` for the rest. Events of other topics are passed over.",
            NatsSource::parse),
    /** Dynamo's event plane over NATS with TLS. */
    NATS_TLS(
            "nats+tls://",
            "`nats+tls://HOST:PORT/SUBJECT`",
            "The same over TLS; the server's certificate is verified, by the authorities in the file that"
                    + " `NATS_TLS_CA_FILE` names or else by Java's own.",
            NatsSource::parseTls),
    KV_TCP(
            "kv+tcp://",
            "`kv+tcp://HOST:PORT` or `kv+tcp://HOST:FIRST-LAST`",
            "Connects to publishers of SGLang's LoadStat, one port per rank: KV use and capacity, running and waiting"
                    + " requests. Told of the rank with frames from the same host.",
            KvConnectSource::parse),
    KV_TCP_BIND(
            "kv+tcp+bind://",
            "`kv+tcp+bind://ADDRESS:PORT`",
            "Binds a ZeroMQ PULL socket that SGLang's schedulers push KvMetrics to, as msgpack or as pickle. `*` is"
                    + " every interface.",
            KvBindSource::parse);

    private final String prefix;
    private final String forms;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // A reference to a static method.
    private final Function<String, SourceSpec> parser;

    SourceScheme(String prefix, String forms, String meaning, Function<String, SourceSpec> parser) {
        this.prefix = prefix;
        this.forms = forms;
        this.meaning = meaning;
        this.parser = parser;
    }

    static SourceSpec parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (SourceScheme scheme : values()) {
            if (scheme.isUrl() ? lower.startsWith(scheme.prefix) : lower.equals(scheme.prefix)) {
                return scheme.parser.apply(text.substring(scheme.prefix.length()));
            }
        }
        throw new IllegalArgumentException(
                "must be one of " + String.join(", ", plainForms()) + ", was '" + text + "'" + suggestion(lower));
    }

    private static String suggestion(String lower) {
        int end = lower.indexOf("://");
        List<String> prefixes =
                Arrays.stream(values()).map(scheme -> scheme.prefix).toList();
        return Suggestion.forWord(end < 0 ? lower : lower.substring(0, end + "://".length()), prefixes);
    }

    private static List<String> plainForms() {
        return Arrays.stream(values()).map(SourceScheme::plainForm).toList();
    }

    private String plainForm() {
        return forms.replace("`", "");
    }

    private boolean isUrl() {
        return prefix.endsWith("://");
    }

    /** How an entry of this kind begins, e.g. {@code tcp://}; for one without an address, the whole entry. */
    public String prefix() {
        return prefix;
    }

    /** The complaint about an entry of this kind in another form. */
    IllegalArgumentException malformed(String rest) {
        return new IllegalArgumentException("must be " + plainForm() + ", was '" + prefix + rest + "'");
    }

    /** The table of the manual, in Markdown. */
    public static String markdown() {
        StringBuilder table = new StringBuilder("| Entry | What it does |\n|---|---|\n");
        for (SourceScheme scheme : values()) {
            table.append("| ").append(scheme.forms).append(" | ");
            table.append(scheme.meaning).append(" |\n");
        }
        return table.toString();
    }
}
