/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.prior;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimePrior;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Finds priors: those that come with the planner by name, others by file. */
public final class PriorLibrary {
    private static final String FOLDER = "priors/";
    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PriorLibrary() {}

    /** Names of the priors that come with the planner. */
    public static List<String> names() {
        return text("names.txt").lines().filter(line -> !line.isBlank()).toList();
    }

    /**
     * The prior of this name, or in this file if there is none.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong with it
     */
    public static StepTimePrior load(String nameOrFile) {
        String document = names().contains(nameOrFile) ? text(nameOrFile + ".json") : read(nameOrFile);
        try {
            return new StepTimePrior(nameOrFile, LearnedJson.read(JSON.readTree(document)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(nameOrFile + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(nameOrFile + ": " + e.getMessage(), e);
        }
    }

    private static String text(String resource) {
        try (InputStream stream = StepTimeModel.class.getResourceAsStream(FOLDER + resource)) {
            if (stream == null) {
                throw new IllegalStateException("the planner was built without " + FOLDER + resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MAX_FILE_BYTES) {
                throw new IllegalArgumentException(file + " is larger than " + MAX_FILE_BYTES + " bytes");
            }
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "'" + file + "' is neither a file nor one of " + String.join(", ", names()), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
