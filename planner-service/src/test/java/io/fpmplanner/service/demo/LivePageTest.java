/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LivePageTest {
    private static final String PAGE = "/io/fpmplanner/service/http/index.html";
    /** The name of the SVG vocabulary looks like an address but is never fetched. */
    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";

    @Test
    void the_page_asks_no_other_host() throws Exception {
        String page = page();

        List<String> addresses = Pattern.compile("(?:https?:)?//[a-z0-9.-]+[^\\s'\"]*")
                .matcher(page.replace(SVG_NAMESPACE, ""))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(addresses).isEmpty();
        assertThat(page).doesNotContain("<script src", "@import", "url(");
    }

    @Test
    void what_comes_from_the_planner_is_never_taken_for_markup() throws Exception {
        assertThat(page()).doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }

    private static String page() throws Exception {
        try (InputStream resource = LivePageTest.class.getResourceAsStream(PAGE)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
