/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.externalmetrics.StatusError.Reason;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of the metrics API: discovery, values, and what clients of the Kubernetes API ask besides. Each answers {@code
 * Status} documents for errors and text for paths that are not there, as Kubernetes' servers do.
 */
public final class ExternalMetricsApi implements RouteInstaller {
    private static final String ROOT = "/apis/" + Documents.GROUP;
    private static final Logger log = LoggerFactory.getLogger(ExternalMetricsApi.class);

    /** The first table form that a client asks for; the versions are alike. */
    private static final Pattern TABLE = Pattern.compile(
            "application/json\\s*;(?=[^,]*as=Table)(?=[^,]*g=meta\\.k8s\\.io)[^,]*v=(v1beta1|v1)(?=[;,\\s]|$)");

    private final MetricQuery query;
    private final String plannerVersion;

    /**
     * Prepares the answers.
     *
     * @param service what may be read
     * @param signals what scalers are told
     * @param plannerVersion version of the service
     */
    public ExternalMetricsApi(ServiceView service, ScalerSignals signals, String plannerVersion) {
        this.query = new MetricQuery(service, signals);
        this.plannerVersion = plannerVersion;
    }

    @Override
    public void install(Router router) {
        get(router, "/apis", context -> Documents.groupList());
        get(router, ROOT, context -> Documents.group());
        get(router, ROOT + "/" + Documents.VERSION, context -> Documents.resourceList());
        get(router, ROOT + "/" + Documents.VERSION + "/namespaces/:namespace/:metric", this::values);
        get(router, "/openapi/v2", context -> Documents.openApiV2(plannerVersion));
        get(router, "/openapi/v3", any -> Documents.openApiV3());
        get(router, "/version", context -> Documents.version(plannerVersion));
        router.route("/apis/*").handler(ExternalMetricsApi::notFound);
    }

    private ObjectNode values(RoutingContext context) {
        String watch = context.request().getParam("watch");
        if ("true".equals(watch) || "1".equals(watch)) {
            throw new StatusError(Reason.METHOD_NOT_ALLOWED, "watch is not supported on external metrics; ask again");
        }
        String accept = context.request().getHeader(HttpHeaders.ACCEPT);
        Matcher table = TABLE.matcher(accept == null ? "" : accept);
        boolean forPeople = table.find();
        String selector = context.request().getParam("labelSelector");
        MetricQuery.Asked asked = new MetricQuery.Asked(
                context.pathParam("namespace"),
                context.pathParam("metric"),
                selector == null ? "" : selector,
                forPeople);
        MetricQuery.Found found = query.find(asked);
        return forPeople ? Documents.table(found, asked.namespace(), table.group(1)) : Documents.values(found);
    }

    private static void get(Router router, String path, Function<RoutingContext, ObjectNode> document) {
        router.route(path).handler(context -> {
            context.put(TEMPLATE, path);
            try {
                requireGet(context);
                send(context, 200, document.apply(context));
            } catch (StatusError e) {
                fail(context, e);
            } catch (RuntimeException e) {
                log.atError()
                        .addKeyValue("path", context.request().path())
                        .setCause(e)
                        .log("request failed");
                fail(context, new StatusError(Reason.INTERNAL_ERROR, "this is a fault of the planner; see its log"));
            }
        });
    }

    private static void requireGet(RoutingContext context) {
        HttpMethod method = context.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            context.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            throw new StatusError(
                    Reason.METHOD_NOT_ALLOWED,
                    "the server does not allow this method on the requested resource; metrics are read with GET");
        }
    }

    static void fail(RoutingContext context, StatusError error) {
        send(context, error.code(), error.document());
    }

    private static void send(RoutingContext context, int code, ObjectNode document) {
        context.response()
                .setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(Buffer.buffer((document + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** As Go's servers do it. */
    static void notFound(RoutingContext context) {
        context.response()
                .setStatusCode(404)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("404 page not found\n");
    }
}
