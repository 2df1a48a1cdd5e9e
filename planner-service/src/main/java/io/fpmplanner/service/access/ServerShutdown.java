/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How a listener ends. Threadsafe. */
public final class ServerShutdown {
    private static final long LONGEST_ANSWER_MILLIS = 1_000;

    private ServerShutdown() {}

    /**
     * Closes the server's socket at once, and its connections when what they asked is answered, or after a second.
     *
     * @param server null if it was never opened
     */
    public static Future<?> of(@Nullable HttpServer server) {
        return server == null
                ? Future.succeededFuture()
                : server.shutdown(LONGEST_ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }
}
