/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

/** The least that Vert.x can do with a router, for a yardstick of starts: answers everything with 200. */
final class Hello {
    private Hello() {}

    /** Takes the port. */
    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        Router router = Router.router(vertx);
        router.route().handler(context -> context.end("hello"));
        vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.parseInt(arguments[0]), "127.0.0.1")
                .onFailure(problem -> Runtime.getRuntime().halt(1));
    }
}
