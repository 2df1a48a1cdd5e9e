/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** An API server on a port of this machine. */
final class TestCluster implements AutoCloseable {
    /** Says every request otherwise; held, since loggers are forgotten. */
    private static final Logger CHATTER = Logger.getLogger("io.fabric8.mockwebserver");

    static {
        CHATTER.setLevel(Level.OFF);
    }

    private final ScaleAwareDispatcher dispatcher = new ScaleAwareDispatcher();
    private final KubernetesMockServer server =
            new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);

    TestCluster() {
        server.init();
    }

    ScaleAwareDispatcher objects() {
        return dispatcher;
    }

    /** A file for {@code actuate.kubeconfig}. */
    Path kubeconfig(Path directory) throws Exception {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters:
                  - name: test
                    cluster: {server: "http://127.0.0.1:%d"}
                users:
                  - name: planner
                    user: {token: of-the-test}
                contexts:
                  - name: test
                    context: {cluster: test, user: planner, namespace: llm}
                current-context: test
                """.formatted(server.getPort()));
    }

    @Override
    public void close() {
        server.destroy();
    }
}
