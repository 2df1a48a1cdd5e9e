/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("pool", "chat", "role", "decode", "gpus", "8");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "pool=chat | true",
                "pool==chat,role!=prefill | true",
                "pool in (a, chat ,b) | true",
                "pool notin (chat) | false",
                "canary notin (yes) | true",
                "canary!=yes | true",
                "canary in (yes) | false",
                "canary | false",
                "!canary | true",
                "!pool | false",
                "gpus>7,gpus<9 | true",
                "gpus>8 | false",
                "role>1 | false",
                "canary<1 | false",
                "pool= | false",
            })
    void requirementsHoldAsInKubernetes(String selector, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "pool=chat, | found '', expected: identifier after ','",
                ",pool=chat | found ',', expected: !, identifier, or 'end of string'",
                "pool=chat role=decode | found 'role', expected: ',' or 'end of string'",
                "pool in chat | unable to parse requirement: found 'chat' expected: '('",
                "pool in (chat | unable to parse requirement: found '', expected: ',' or ')'",
                "pool chat | unable to parse requirement: found 'chat', expected: in, notin, =, ==, !=, gt, lt",
                "pool>x | unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer",
                "pool in (= | unable to parse requirement: found '=', expected: ',', ')' or identifier",
            })
    void complaintsAreThoseOfKubernetes(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector)).hasMessage(message);
    }

    @Property
    void anyTextIsReadOrRefusedAndWhatIsReadReadsTheSameAgain(@ForAll String text) {
        LabelSelector selector;
        try {
            selector = LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s)(unable to parse requirement: |found ').*");
            return;
        }
        assertThat(LabelSelector.parse(selector.toString())).isEqualTo(selector);
    }

    @Property
    void anyTextBecomesALabelThatSelectorsCanAskFor(@ForAll String model) {
        String value = LabelSyntax.valueOf(model);

        assertThat(LabelSelector.parse("model=" + value).matches(Map.of("model", value)))
                .isTrue();
    }
}
