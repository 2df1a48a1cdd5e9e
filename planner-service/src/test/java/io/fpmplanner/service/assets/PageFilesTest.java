/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.assets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fpmplanner.core.pool.RankActivity;
import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.source.EndpointState;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageFilesTest {
    /** The name of the SVG vocabulary looks like an address but is never fetched. */
    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";

    /** Scripts and styles compressed, which is what a browser fetches before it shows anything, and charts. */
    private static final long MOST_BYTES = 120_000;

    private final PageFiles files = PageFiles.shared();

    @Test
    void everyModuleFindsWhatItImports() {
        List<String> missing = new ArrayList<>();
        texts(".js")
                .forEach((name, text) -> Pattern.compile(
                                "(?:(?<=[}\\s])from\\s*|import\\s*\\(?\\s*)[\"']([^\"']+)[\"']")
                        .matcher(text)
                        .results()
                        .map(found -> found.group(1))
                        .forEach(imported -> {
                            String target = URI.create(name).resolve(imported).toString();
                            if (files.asset(target).isEmpty()) {
                                missing.add(name + " imports " + imported);
                            }
                        }));
        assertThat(missing).isEmpty();
    }

    @Test
    void thePageNamesOnlyFilesThatAreThere() {
        String page = text(files.index());

        List<String> named = Pattern.compile("(?:src|href)=\"([^\"]+)\"")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(named)
                .isNotEmpty()
                .allMatch(name -> files.asset(name.replace("assets/" + files.fingerprint() + "/", ""))
                        .isPresent());
        assertThat(page).doesNotContain("{assets}").doesNotContain("<style", " style=", " onload=");
        assertThat(Pattern.compile("<script(?![^>]*src=)").matcher(page).find()).isFalse();
    }

    @Test
    void everyFileBesideThePageIsServed() throws Exception {
        Path directory =
                Path.of(PageFiles.class.getResource("index.html").toURI()).getParent();
        Set<String> present = new TreeSet<>();
        for (String part : List.of("app", "views")) {
            try (Stream<Path> found = Files.list(directory.resolve(part))) {
                found.forEach(file -> present.add(part + "/" + file.getFileName()));
            }
        }
        assertThat(files.all().keySet()).containsAll(present);
    }

    @Test
    void noOtherHostIsAskedAndWhatComesFromThePlannerIsNeverTakenForMarkup() {
        Map<String, String> own = texts("");
        PageFiles.LIBRARIES.forEach(own::remove);
        own.put("index.html", text(files.index()));

        own.forEach((name, text) -> {
            List<String> addresses = Pattern.compile("(?:https?:)//[a-z0-9.-]+[^\\s'\"]*")
                    .matcher(text.replace(SVG_NAMESPACE, ""))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(addresses).as(name).isEmpty();
            assertThat(text)
                    .as(name)
                    .doesNotContain(
                            "innerHTML",
                            "insertAdjacentHTML",
                            "dangerouslySet",
                            "document.write",
                            "eval(",
                            "new Function",
                            "@import",
                            "url(");
        });
    }

    @Test
    void everyTermAndCodeIsExplained() throws Exception {
        Map<String, String> glossary = glossary();
        Set<String> used = texts(".js").values().stream()
                .flatMap(text -> Pattern.compile("(?:term=\"|term: '|<\\$\\{Term} of=\"|data-term=\")([^\"'$]+)[\"']")
                        .matcher(text)
                        .results()
                        .map(found -> found.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
        List<Enum<?>> codes = new ArrayList<>();
        List.<Enum<?>[]>of(
                        ReasonCode.values(),
                        ScalingStatus.values(),
                        Evidence.values(),
                        LimitingFactor.values(),
                        RankActivity.values(),
                        EndpointState.values())
                .forEach(values -> codes.addAll(Arrays.asList(values)));
        codes.forEach(code -> used.add(code.name()));

        assertThat(used).hasSizeGreaterThan(50).allMatch(glossary::containsKey);
    }

    @Test
    void theManualHasTheSameWords() throws Exception {
        Map<String, String> glossary = glossary();
        StringBuilder table = new StringBuilder("| term | meaning |\n|---|---|\n");
        glossary.forEach((term, meaning) -> table.append("| ")
                .append(Character.isUpperCase(term.charAt(0)) && term.contains("_") ? "`" + term + "`" : term)
                .append(" | ")
                .append(meaning.replace("|", "\\|"))
                .append(" |\n"));

        assertThat(Files.readString(Path.of("..", "docs", "operations.md")))
                .contains("<!-- words of the page: generated -->\n" + table + "<!-- words of the page: end -->");
    }

    @Test
    void allOfItIsSmall() {
        long bytes = files.all().entrySet().stream()
                .filter(entry ->
                        entry.getKey().endsWith(".js") || entry.getKey().endsWith(".css"))
                .mapToLong(entry -> entry.getValue().zip().length())
                .sum();

        assertThat(bytes).isLessThan(MOST_BYTES);
    }

    private Map<String, String> glossary() throws Exception {
        return new JsonMapper().readValue(text(files.asset("glossary.json").orElseThrow()), new TypeReference<>() {});
    }

    private Map<String, String> texts(String end) {
        Map<String, String> texts = new TreeMap<>();
        files.all().forEach((name, asset) -> {
            if (name.endsWith(end)) {
                texts.put(name, text(asset));
            }
        });
        return texts;
    }

    private static String text(Asset asset) {
        return asset.plain().toString();
    }
}
