/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.assets;

import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.IdentityHashMap;

/**
 * {@code GET /} and {@code GET /assets/*}. Addresses of assets hold a fingerprint of them all, so that browsers may keep
 * them for good; the page itself is asked for each time and answered by 304 while it is the same.
 */
public final class PageRoutes implements RouteInstaller {
    /** Nothing from elsewhere, and no script or style in the markup. */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String ASSETS = "/assets/";

    private final PageFiles files = PageFiles.shared();
    /** What was asked for compressed. */
    private final IdentityHashMap<Asset, Buffer> zipped = new IdentityHashMap<>();

    private final int maxBodyBytes;

    /**
     * Reads all files.
     *
     * @param maxBodyBytes as for all routes
     */
    public PageRoutes(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    public void install(Router router) {
        Routes routes = new Routes(router, maxBodyBytes);
        routes.get("/", context -> {
            context.response()
                    .putHeader("Cache-Control", "no-cache")
                    .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                    .putHeader("Referrer-Policy", "no-referrer");
            answer(context, files.index());
        });
        routes.get(ASSETS + "*", context -> {
            String path = context.normalizedPath().substring(ASSETS.length());
            String name = path.startsWith(files.fingerprint() + "/")
                    ? path.substring(files.fingerprint().length() + 1)
                    : "";
            Asset asset = files.asset(name)
                    .orElseThrow(() -> Problem.of(404, "there is no such asset in this version; load the page again"));
            context.response().putHeader("Cache-Control", "public, max-age=31536000, immutable");
            answer(context, asset);
        });
    }

    private void answer(RoutingContext context, Asset asset) {
        HttpServerResponse response = context.response();
        String tag = '"' + files.fingerprint() + '"';
        response.putHeader(HttpHeaders.ETAG, tag)
                .putHeader(HttpHeaders.VARY, "Accept-Encoding")
                .putHeader(HttpHeaders.CONTENT_TYPE, asset.contentType());
        String known = context.request().getHeader(HttpHeaders.IF_NONE_MATCH);
        if (known != null && (known.strip().equals("*") || known.contains(tag))) {
            response.setStatusCode(304).end();
            return;
        }
        String accepted = context.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        if (accepted != null && accepted.contains("gzip") && !accepted.contains("gzip;q=0")) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip").end(zipped.computeIfAbsent(asset, Asset::zip));
        } else {
            response.end(asset.plain());
        }
    }
}
