/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The guard of all other tests notices what it is there for. */
class EventLoopGuardTest {
    private final EventLoopGuard guard = new EventLoopGuard();

    @Test
    void waitingIsNoticed() throws Exception {
        guard.beforeEach(null);
        Vertx vertx = Vertx.vertx();
        CountDownLatch done = new CountDownLatch(1);
        vertx.runOnContext(nothing -> {
            try {
                // Nobody counts it down: it stands still for as long as the guard needs to see it.
                new CountDownLatch(1).await(2, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.countDown();
        });
        done.await();
        vertx.close().toCompletionStage().toCompletableFuture().get();
        assertThatThrownBy(() -> guard.afterEach(null)).hasMessageContainingAll("waits", "EventLoopGuardTest");
    }

    @Test
    void ordinaryEventsAreNot() throws Exception {
        guard.beforeEach(null);
        Vertx vertx = Vertx.vertx();
        CountDownLatch done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            vertx.runOnContext(nothing -> done.countDown());
        }
        done.await();
        vertx.close().toCompletionStage().toCompletableFuture().get();
        assertThatCode(() -> guard.afterEach(null)).doesNotThrowAnyException();
    }
}
