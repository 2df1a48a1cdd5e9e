/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.assets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** All files of the page by name, and a fingerprint of them all. Immutable, for any thread. */
final class PageFiles {
    /** Modules of the page. */
    static final List<String> OWN = List.of(
            "planner.css",
            "icon.svg",
            "glossary.json",
            "app/main.js",
            "app/api.js",
            "app/chart.js",
            "app/dom.js",
            "app/exporting.js",
            "app/format.js",
            "app/history.js",
            "app/live.js",
            "app/router.js",
            "app/spark.js",
            "app/table.js",
            "app/theme.js",
            "app/tips.js",
            "app/ui.js",
            "views/inputs.js",
            "views/model.js",
            "views/overview.js",
            "views/pool.js",
            "views/whatif.js");

    /** Libraries, which the build takes out of their jars. */
    static final List<String> LIBRARIES =
            List.of("lib/preact.js", "lib/hooks.js", "lib/htm.js", "lib/uplot.js", "lib/uplot.css");

    /*
     * The hooks name their sibling by a bare word, which a browser resolves by an import map only, and an inline import
     * map is an inline script, which the page's content security policy forbids.
     */
    private static final String BARE = "from\"preact\"";

    private static final String RELATIVE = "from\"./preact.js\"";
    /** The chart library comes small as a plain script only, which this makes a module. */
    private static final String EXPORT = "\nexport default uPlot;\n";

    private static final int FINGERPRINT_CHARACTERS = 16;

    /** Read once for all services of a process. */
    private static final class Shared {
        private static final PageFiles FILES = new PageFiles();
    }

    private final Map<String, Asset> assets = new TreeMap<>();
    private final String fingerprint;
    private final Asset index;

    private PageFiles() {
        MessageDigest digest = sha256();
        OWN.forEach(name -> assets.put(name, Asset.of(name, read(name))));
        LIBRARIES.forEach(name -> assets.put(name, Asset.of(name, library(name))));
        assets.forEach((name, asset) -> {
            digest.update(name.getBytes(StandardCharsets.UTF_8));
            digest.update(asset.plain().getBytes());
        });
        byte[] page = read("index.html");
        digest.update(page);
        fingerprint = HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_CHARACTERS);
        String text = new String(page, StandardCharsets.UTF_8).replace("{assets}", "assets/" + fingerprint);
        index = Asset.of("index.html", text.getBytes(StandardCharsets.UTF_8));
    }

    static PageFiles shared() {
        return Shared.FILES;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] library(String name) {
        String text = new String(read(name), StandardCharsets.UTF_8).replace(BARE, RELATIVE);
        return (name.equals("lib/uplot.js") ? text + EXPORT : text).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] read(String name) {
        try (InputStream in = Objects.requireNonNull(PageFiles.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes whenever one of the files does. */
    String fingerprint() {
        return fingerprint;
    }

    /** The page itself, which names the others below the fingerprint. */
    Asset index() {
        return index;
    }

    Optional<Asset> asset(String name) {
        return Optional.ofNullable(assets.get(name));
    }

    Map<String, Asset> all() {
        return assets;
    }
}
