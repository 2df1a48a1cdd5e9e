/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what event loops do; for other threads. */
final class Waiting {
    private Waiting() {}

    static <T> T await(Future<T> future, long seconds) throws ExecutionException, TimeoutException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(e);
        }
    }
}
