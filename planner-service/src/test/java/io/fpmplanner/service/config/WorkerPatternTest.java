/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class WorkerPatternTest {
    /** Regular expressions are the oracle. */
    @Property
    void matchesAsARegularExpressionWould(
            @ForAll @StringLength(min = 1, max = 8) @CharRange(from = 'a', to = 'b') @Chars('*') String pattern,
            @ForAll @StringLength(max = 8) @CharRange(from = 'a', to = 'b') String worker) {
        String regex = Stream.of(pattern.split("", -1))
                .map(each -> each.equals("*") ? ".*" : Pattern.quote(each))
                .collect(Collectors.joining());
        assertThat(new WorkerPattern(pattern).matches(worker)).isEqualTo(worker.matches(regex));
    }

    @Test
    void whatAnAttackerChoosesIsStillQuick() {
        WorkerPattern pattern = new WorkerPattern("*a*a*a*a*a*a*a*a*a*a*a*a*b");
        assertThat(pattern.matches("a".repeat(5_000))).isFalse();
    }

    @Test
    void aPatternMustSaySomething() {
        assertThatThrownBy(() -> new WorkerPattern(" ")).hasMessageContaining("vllm-*");
    }
}
