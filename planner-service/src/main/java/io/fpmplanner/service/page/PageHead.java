/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The head of a report that is one file: its own style, nothing from elsewhere, no script. */
public final class PageHead {
    private PageHead() {}

    /**
     * Writes the head element.
     *
     * @param owner class beside which the style sheet lies
     * @param styleSheet name of that resource
     */
    public static void write(Markup page, String title, Class<?> owner, String styleSheet) {
        page.open("head");
        page.empty("meta", "charset", "utf-8");
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "color-scheme", "content", "light dark");
        page.empty(
                "meta",
                "http-equiv",
                "Content-Security-Policy",
                "content",
                "default-src 'none'; style-src 'unsafe-inline'");
        page.element("title", title);
        page.element("style", text(owner, styleSheet));
        page.close();
    }

    private static String text(Class<?> owner, String name) {
        try (InputStream resource = owner.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
