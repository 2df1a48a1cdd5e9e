/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.service.externalmetrics.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the text of a label selector. Not threadsafe; one instance reads one text.
 *
 * <p>The grammar is {@code [requirement {"," requirement}]} with {@code requirement = ["!"] key | key operator value | key
 * ("in" | "notin") "(" [values] ")"}. Complaints are those of Kubernetes' parser, character by character, since operators
 * look them up.
 */
final class SelectorParser {
    private static final String SIGNS = "=!(),><";
    private static final Set<String> LONG_SIGNS = Set.of("==", "!=");
    private static final Map<String, Operator> OPERATORS = Map.of(
            "=", Operator.EQUALS,
            "==", Operator.DOUBLE_EQUALS,
            "!=", Operator.NOT_EQUALS,
            "in", Operator.IN,
            "notin", Operator.NOT_IN,
            ">", Operator.GREATER_THAN,
            "<", Operator.LESS_THAN);

    /** The end of the text; no other token is empty. */
    private static final String END = "";

    private final List<String> tokens;
    private int next;

    SelectorParser(String text) {
        this.tokens = tokens(text);
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int start = at;
            if (isBlank(text.charAt(at))) {
                at++;
                continue;
            }
            if (isSign(text.charAt(at))) {
                at += at + 2 <= text.length() && LONG_SIGNS.contains(text.substring(at, at + 2)) ? 2 : 1;
            } else {
                while (at < text.length() && !isBlank(text.charAt(at)) && !isSign(text.charAt(at))) {
                    at++;
                }
            }
            tokens.add(text.substring(start, at));
        }
        tokens.add(END);
        return tokens;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isSign(char c) {
        return SIGNS.indexOf(c) >= 0;
    }

    private static boolean isWord(String token) {
        return !token.equals(END) && !isSign(token.charAt(0));
    }

    private String peek() {
        return tokens.get(next);
    }

    /** Takes a token; the end can be taken again and again. */
    private String take() {
        String token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    List<LabelRequirement> parse() {
        List<LabelRequirement> requirements = new ArrayList<>();
        if (peek().equals(END)) {
            return requirements;
        }
        if (!startsRequirement(peek())) {
            throw found(peek(), ", expected: !, identifier, or 'end of string'");
        }
        while (true) {
            requirements.add(explained());
            String after = take();
            if (after.equals(END)) {
                return requirements;
            }
            if (!after.equals(",")) {
                throw found(after, ", expected: ',' or 'end of string'");
            }
            if (!startsRequirement(peek())) {
                throw found(peek(), ", expected: identifier after ','");
            }
        }
    }

    private static boolean startsRequirement(String token) {
        return isWord(token) || token.equals("!");
    }

    private LabelRequirement explained() {
        try {
            return requirement();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("unable to parse requirement: " + e.getMessage(), e);
        }
    }

    private LabelRequirement requirement() {
        boolean absent = peek().equals("!");
        if (absent) {
            take();
        }
        String key = take();
        if (!isWord(key)) {
            throw found(key, ", expected: identifier");
        }
        LabelSyntax.checkKey(key);
        if (absent) {
            return LabelRequirement.of(key, Operator.DOES_NOT_EXIST, Set.of());
        }
        if (peek().equals(END) || peek().equals(",")) {
            return LabelRequirement.of(key, Operator.EXISTS, Set.of());
        }
        String sign = take();
        Operator operator = OPERATORS.get(sign);
        if (operator == null) {
            throw found(sign, ", expected: in, notin, =, ==, !=, gt, lt");
        }
        boolean list = operator == Operator.IN || operator == Operator.NOT_IN;
        return LabelRequirement.of(key, operator, list ? values() : Set.of(value()));
    }

    /** Nothing is the empty value. */
    private String value() {
        if (peek().equals(END) || peek().equals(",")) {
            return "";
        }
        String value = take();
        if (!isWord(value)) {
            throw found(value, ", expected: identifier");
        }
        return value;
    }

    private Set<String> values() {
        String open = take();
        if (!open.equals("(")) {
            throw found(open, " expected: '('");
        }
        if (!isWord(peek()) && !peek().equals(",") && !peek().equals(")")) {
            throw found(peek(), ", expected: ',', ')' or identifier");
        }
        Set<String> values = new TreeSet<>();
        while (true) {
            values.add(isWord(peek()) ? take() : "");
            String after = take();
            if (after.equals(")")) {
                return values;
            }
            if (!after.equals(",")) {
                throw found(after, ", expected: ',' or ')'");
            }
        }
    }

    private static IllegalArgumentException found(String token, String expected) {
        return new IllegalArgumentException("found '" + token + "'" + expected);
    }
}
