/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fpmplanner.sim.workload.RecordedWorkload.Entry;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads recorded requests in two public forms: Azure's CSV ({@code TIMESTAMP,ContextTokens,GeneratedTokens}) and Mooncake's
 * JSON lines ({@code timestamp} in milliseconds, {@code input_length}, {@code output_length}, {@code hash_ids} of blocks
 * of 512 tokens). A line that is not understood is an error, not a request less.
 */
public final class TraceReader {
    /*
     * Forms: Azure/AzurePublicDataset, AzureLLMInferenceDataset2023.md; kvcache-ai/Mooncake, FAST25-release/traces.
     */
    private static final String AZURE_HEADING = "TIMESTAMP,ContextTokens,GeneratedTokens";
    private static final DateTimeFormatter AZURE_TIME = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter();
    private static final int MOONCAKE_BLOCK_TOKENS = 512;
    private static final int MOST_TOKENS = 100_000_000;

    private final ObjectMapper json = new ObjectMapper();
    private final String file;
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable LocalDateTime firstTime;
    private int lineNumber;

    private TraceReader(String file) {
        this.file = file;
    }

    /**
     * Reads a whole trace.
     *
     * @return in order of time, the first near 0 s
     * @throws TraceException if it is no trace, with the first line that is not understood
     */
    public static List<Entry> read(Path path) throws TraceException {
        TraceReader reader = new TraceReader(String.valueOf(path.getFileName()));
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            reader.readAll(lines);
        } catch (CharacterCodingException e) {
            throw reader.fault("this is no UTF-8 text");
        } catch (IOException e) {
            throw new TraceException(reader.file, "cannot be read: " + e);
        }
        return reader.entries;
    }

    private void readAll(BufferedReader lines) throws IOException, TraceException {
        String first = next(lines);
        boolean azure = AZURE_HEADING.equals(first);
        if (!azure && (first == null || !first.startsWith("{"))) {
            throw fault("a trace begins with '" + AZURE_HEADING + "' or is lines of JSON objects");
        }
        for (String line = azure ? next(lines) : first; line != null; line = next(lines)) {
            if (!line.isBlank()) {
                add(azure ? azure(line) : mooncake(line));
            }
        }
        if (entries.isEmpty()) {
            throw new TraceException(file, "there is no request in it");
        }
    }

    private @Nullable String next(BufferedReader lines) throws IOException {
        lineNumber++;
        return lines.readLine();
    }

    private void add(Entry entry) throws TraceException {
        if (!entries.isEmpty()
                && entry.seconds() < entries.get(entries.size() - 1).seconds()) {
            throw fault("the request came before the one in the line above");
        }
        if (entries.size() >= Workload.MOST_REQUESTS) {
            throw fault("more than " + Workload.MOST_REQUESTS + " requests are too many");
        }
        entries.add(entry);
    }

    private Entry azure(String line) throws TraceException {
        String[] fields = line.split(",", -1);
        if (fields.length != 3) {
            throw fault("there should be 3 fields, were " + fields.length);
        }
        LocalDateTime time = time(fields[0].strip());
        if (firstTime == null) {
            firstTime = time;
        }
        double seconds = Duration.between(firstTime, time).toNanos() * 1e-9;
        return new Entry(
                seconds, tokens("ContextTokens", fields[1]), tokens("GeneratedTokens", fields[2]), PrefixBlocks.NONE);
    }

    private LocalDateTime time(String text) throws TraceException {
        try {
            return LocalDateTime.parse(text, AZURE_TIME);
        } catch (DateTimeParseException e) {
            throw fault("'" + text + "' is no time such as 2023-11-16 18:17:03.9799600");
        }
    }

    private int tokens(String field, String text) throws TraceException {
        try {
            return tokens(field, Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            throw fault(field + " must be a whole number, was '" + text + "'");
        }
    }

    private int tokens(String field, long tokens) throws TraceException {
        if (tokens < 1 || tokens > MOST_TOKENS) {
            throw fault(field + " must lie between 1 and " + MOST_TOKENS + ", was " + tokens);
        }
        return (int) tokens;
    }

    private Entry mooncake(String line) throws TraceException {
        JsonNode node;
        try {
            node = json.readTree(line);
        } catch (JsonProcessingException e) {
            throw fault("this is no JSON object: " + e.getOriginalMessage());
        }
        double seconds = number(node, "timestamp") * 1e-3;
        int input = tokens("input_length", number(node, "input_length"));
        int output = tokens("output_length", number(node, "output_length"));
        return new Entry(seconds, input, output, blocks(node, input));
    }

    private long number(JsonNode node, String field) throws TraceException {
        JsonNode value = node.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
            throw fault(field + " must be a whole number of at least 0, was " + value);
        }
        return value.asLong();
    }

    private PrefixBlocks blocks(JsonNode node, int inputTokens) throws TraceException {
        JsonNode ids = node.path("hash_ids");
        if (!ids.isArray()) {
            throw fault("hash_ids must be an array");
        }
        long[] hashes = new long[Math.min(ids.size(), (inputTokens - 1) / MOONCAKE_BLOCK_TOKENS)];
        for (int i = 0; i < hashes.length; i++) {
            if (!ids.get(i).isIntegralNumber()) {
                throw fault("hash_ids must be whole numbers, one was " + ids.get(i));
            }
            hashes[i] = ids.get(i).asLong();
        }
        return PrefixBlocks.of(MOONCAKE_BLOCK_TOKENS, hashes);
    }

    private TraceException fault(String reason) {
        return new TraceException(file, lineNumber, reason);
    }
}
