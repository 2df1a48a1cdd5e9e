/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.RestClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    private static final Pattern URL = Pattern.compile("event=listening url=(\\S+)");

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void writeConfiguration() throws Exception {
        file = Files.writeString(
                directory.resolve("planner.yaml"),
                "http: {port: 0}\npools: [{id: chat, engine: {maxBatchedTokens: 8192}, sources: ['tcp://127.0.0.1:1', 'tcp://no-such.invalid:1']}]\n");
    }

    @Test
    void aStateDirectoryThatCannotBeMadeIsToldBeforehand() {
        Outcome outcome =
                run("check-config", "--config", file.toString(), "--set", "state.directory=" + file + "/state");

        assertThat(outcome.code).isEqualTo(2);
        assertThat(outcome.err.strip())
                .isEqualTo("config: state.directory " + file + "/state: " + file + " is no directory");
    }

    @Test
    void checkConfigPrintsWhatIsInForce() throws Exception {
        Outcome yaml = run("check-config", "--config", file.toString(), "--set", "tickSeconds=2");
        assertThat(yaml.code).isZero();
        assertThat(yaml.out).contains("tickSeconds: 2.0", "- id: chat");
        assertThat(yaml.err.strip())
                .isEqualTo("OK: 1 pool: chat (aggregated); REST at http://127.0.0.1:0; no state kept");

        Outcome everything = run(
                "check-config",
                "--without-files",
                "--config",
                file.toString(),
                "--set",
                "keda.port=9090",
                "--set",
                "externalMetrics.port=8443",
                "--set",
                "externalMetrics.tls.certificateFile=tls.crt",
                "--set",
                "externalMetrics.tls.privateKeyFile=tls.key",
                "--set",
                "state.directory=/state",
                "--set",
                "pools[0].actuate.target.kind=Deployment",
                "--set",
                "pools[0].actuate.target.name=chat",
                "--set",
                "pools[0].actuate.target.namespace=llm");
        assertThat(everything.err.strip())
                .isEqualTo("OK: 1 pool: chat (aggregated); REST at http://127.0.0.1:0; external metrics at "
                        + "https://0.0.0.0:8443; gRPC at 0.0.0.0:9090; acts on 1 target; state in /state");

        Outcome json = run("check-config", "--config", file.toString(), "--port", "9090", "--json");
        assertThat(json.code).isZero();
        JsonNode document = RestClient.parse(json.out);
        assertThat(document.get("valid").asBoolean()).isTrue();
        assertThat(document.at("/config/http/port").asInt()).isEqualTo(9090);
    }

    @Test
    void aReportThatCannotBeWrittenIsAFailure() {
        PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                },
                false,
                StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        CommandLine line = PlannerCommand.commandLine()
                .setOut(new PrintWriter(full, false, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err));

        assertThat(PlannerCommand.execute(line, full, "check-config", "--config", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("planner: standard output cannot be written");
        PrintStream fine = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        line.setOut(new PrintWriter(fine, false, StandardCharsets.UTF_8));
        assertThat(PlannerCommand.execute(line, fine, "check-config", "--config", file.toString()))
                .isZero();
    }

    @Test
    void checkConfigListsEveryProblemAndExitsWith2() throws Exception {
        Outcome text = run("check-config", "--config", file.toString(), "--set", "http.port=-1", "--set", "http.prt=1");
        assertThat(text.code).isEqualTo(2);
        assertThat(text.out).isEmpty();
        assertThat(text.err)
                .contains("config: http.port must lie between 0 and 65535, was -1")
                .contains("config: http.prt is not a known key, did you mean 'http.port'?");

        Outcome json =
                run("check-config", "--config", directory.resolve("absent").toString(), "--json");
        assertThat(json.code).isEqualTo(2);
        JsonNode document = RestClient.parse(json.out);
        assertThat(document.get("valid").asBoolean()).isFalse();
        assertThat(document.at("/problems/0").asText()).contains("no such file");
    }

    @Test
    void wrongUsageExitsWith2AndHelpWith0() throws Exception {
        assertThat(run("serv").code).isEqualTo(2);
        assertThat(run("serv").err).contains("serve");
        assertThat(run().code).isEqualTo(2);
        assertThat(run("serve", "--nonsense").code).isEqualTo(2);
        assertThat(run("--help").code).isZero();
        assertThat(run("help", "serve").code).isZero();
        Outcome version = run("--version");
        assertThat(version.code).isZero();
        assertThat(version.out).startsWith("fpm-planner ");
        assertThat(run("serve", "-V").out).isEqualTo(version.out);
    }

    @Test
    void serveWithoutOrWithABadConfigurationExitsWith2() throws Exception {
        assertThat(run("serve").code).isEqualTo(2);
        assertThat(run("serve").err).contains("--config FILE");
        assertThat(run("serve", "--config", file.toString(), "--set", "tickSeconds=0").code)
                .isEqualTo(2);
    }

    @Test
    void serveOnATakenPortIsOneLineAndExitsWith1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome = run("serve", "--config", file.toString(), "--port", "" + taken.getLocalPort());

            assertThat(outcome.code).isEqualTo(1);
            assertThat(outcome.err.strip())
                    .startsWith("planner: cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .doesNotContain("\n");
        }
    }

    @Test
    void aServiceToldToStopEndsWith0() throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--config",
                        file.toString()))
                .start();
        try (BufferedReader log = process.errorReader(StandardCharsets.UTF_8)) {
            String url = listeningUrl(log);
            assertThat(new RestClient(url).get("/readyz").statusCode()).isEqualTo(200);

            process.toHandle().destroy(); // SIGTERM, and unlike Process.destroy() it leaves the streams open

            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(log.lines()).anyMatch(line -> line.contains("event=stopped"));
            assertThat(process.getInputStream().readAllBytes()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String listeningUrl(BufferedReader log) throws Exception {
        List<String> lines = new ArrayList<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            lines.add(line);
            Matcher matcher = URL.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new AssertionError("it never listened:\n" + String.join("\n", lines));
    }

    private record Outcome(int code, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                PlannerCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new Outcome(command.execute(arguments), out.toString(), err.toString());
    }
}
