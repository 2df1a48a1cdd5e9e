/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Bearer tokens by their SHA-256; the tokens themselves are not kept. Immutable.
 *
 * <p>A file holds one token a line, or a name and a token. Empty lines and those that begin with # are skipped.
 */
final class TokenList {
    static final int SHORTEST = 16;
    private static final int LONGEST_FILE = 1 << 20;

    private final List<Entry> entries;

    private TokenList(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared or shown
    private record Entry(byte[] digest, Identity identity) {}

    static TokenList none() {
        return new TokenList(List.of());
    }

    /**
     * These tokens and those of a file.
     *
     * @throws IOException naming the file and the line, never what stands in it
     */
    TokenList and(Path file, AccessRole role) throws IOException {
        if (Files.size(file) > LONGEST_FILE) {
            throw new IOException(file + " is larger than " + LONGEST_FILE + " bytes");
        }
        List<Entry> all = new ArrayList<>(entries);
        int number = 0;
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            String[] words = text.split("\\s+", -1);
            if (words.length > 2) {
                throw new IOException(file + ", line " + number + ": must be a token, or a name and a token");
            }
            String token = words[words.length - 1];
            if (token.length() < SHORTEST) {
                throw new IOException(
                        file + ", line " + number + ": a token must have at least " + SHORTEST + " characters");
            }
            byte[] digest = digest(token);
            String name =
                    words.length == 2 ? words[0] : "token-" + HexFormat.of().formatHex(digest, 0, 4);
            for (Entry entry : all) {
                if (MessageDigest.isEqual(entry.digest(), digest)) {
                    throw new IOException(file + ", line " + number + ": this token is listed already, for the role "
                            + entry.identity().role());
                }
            }
            all.add(new Entry(digest, new Identity(name, role)));
        }
        return new TokenList(all);
    }

    /** Whose token it is. Takes as long for a wrong one as for a right one. */
    Optional<Identity> find(String token) {
        byte[] digest = digest(token);
        Identity found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest(), digest)) {
                found = entry.identity();
            }
        }
        return Optional.ofNullable(found);
    }

    boolean isSame(TokenList other) {
        if (entries.size() != other.entries.size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry one = entries.get(i);
            Entry two = other.entries.get(i);
            if (!Arrays.equals(one.digest(), two.digest()) || !one.identity().equals(two.identity())) {
                return false;
            }
        }
        return true;
    }

    int size() {
        return entries.size();
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
