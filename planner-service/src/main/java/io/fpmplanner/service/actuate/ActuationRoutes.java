/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.actuate.ActuationBoard.Change;
import io.fpmplanner.service.actuate.ActuationBoard.PoolState;
import io.fpmplanner.service.actuate.ActuationBoard.View;
import io.fpmplanner.service.config.ScaleTarget;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.vertx.ext.web.Router;
import java.time.Instant;
import java.util.OptionalInt;

/** {@code GET /v1/actuation}: the targets, what is done about them and why nothing else is. */
public final class ActuationRoutes implements RouteInstaller {
    private static final long NANOS = 1_000_000_000L;

    private final ActuationBoard board;

    /** Shows what hangs on this board. */
    public ActuationRoutes(ActuationBoard board) {
        this.board = board;
    }

    @Override
    public void install(Router router) {
        new Routes(router, 0).get("/v1/actuation", context -> Routes.send(context, write(board.current())));
    }

    private static ObjectNode write(View view) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        view.leads().ifPresentOrElse(leads -> document.put("leads", leads), () -> document.putNull("leads"));
        var targets = document.putArray("targets");
        view.pools().forEach(pool -> write(targets.addObject(), pool));
        return document;
    }

    private static void write(ObjectNode node, PoolState state) {
        ScaleTarget target = state.target();
        node.put("pool", state.pool())
                .put("apiVersion", target.apiVersion())
                .put("kind", target.kind().kind())
                .put("namespace", target.namespace())
                .put("name", target.name())
                .put("dryRun", target.dryRun());
        number(node, "specReplicas", state.wanted());
        number(node, "readyReplicas", state.ready());
        time(node, "readAt", state.readAtNanos());
        node.put("activity", state.activity()).put("message", state.message()).put("failures", state.failures());
        time(node, "retryAt", state.retryAtNanos());
        state.change()
                .ifPresentOrElse(
                        change -> write(node.putObject("lastChange"), change), () -> node.putNull("lastChange"));
    }

    private static void write(ObjectNode node, Change change) {
        time(node, "at", change.atNanos());
        node.put("from", change.from())
                .put("to", change.to())
                .put("dryRun", change.dryRun())
                .put("reason", change.reason());
    }

    private static void number(ObjectNode node, String name, OptionalInt value) {
        if (value.isPresent()) {
            node.put(name, value.getAsInt());
        } else {
            node.putNull(name);
        }
    }

    private static void time(ObjectNode node, String name, long nanos) {
        node.put(
                name,
                nanos == 0
                        ? null
                        : Instant.ofEpochSecond(nanos / NANOS, nanos % NANOS / 1_000_000 * 1_000_000)
                                .toString());
    }
}
