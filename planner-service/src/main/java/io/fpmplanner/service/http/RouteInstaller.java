/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.vertx.ext.web.Router;

/** Adds routes of one's own to the REST interface; they go before those of the service. */
@FunctionalInterface
public interface RouteInstaller {
    /** Key under which a handler leaves the template of its route in the context, for the metrics. */
    String TEMPLATE = "planner.route";

    /** Called once, on the HTTP verticle's event loop, before the server listens. Handlers must not block. */
    void install(Router router);
}
