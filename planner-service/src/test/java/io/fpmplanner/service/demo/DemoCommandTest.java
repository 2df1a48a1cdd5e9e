/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void a_short_run_ends_by_itself_with_one_document_and_nothing_else() throws Exception {
        int code = run("--seconds", "6", "--port", "0", "--json");

        JsonNode document = new ObjectMapper().readTree(out.toString());
        assertThat(code).as(err.toString()).isZero();
        assertThat(document.path("url").asText()).startsWith("http://127.0.0.1:");
        assertThat(document.path("pools")).hasSize(3);
        for (JsonNode pool : document.path("pools")) {
            assertThat(pool.path("arrivedRequests").asLong()).isPositive();
            // The planner heard of the replica over its socket and said so over HTTP.
            assertThat(pool.path("recommendation").path("readyReplicas").asInt())
                    .isEqualTo(1);
        }
        assertThat(err.toString()).contains("Live page: http://127.0.0.1:");
    }

    @Test
    void a_taken_port_is_a_clear_error() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int code = run("--seconds", "1", "--port", Integer.toString(taken.getLocalPort()));

            assertThat(code).isEqualTo(1);
            assertThat(err.toString()).contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void wrong_usage_is_explained() {
        assertThat(run("--json")).isEqualTo(2);
        assertThat(err.toString()).contains("--json needs --seconds");
        assertThat(run("--seconds", "0")).isEqualTo(2);
        assertThat(run("--seconds", "1", "--port", "70000")).isEqualTo(2);
    }

    private int run(String... arguments) {
        return new CommandLine(new DemoCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
