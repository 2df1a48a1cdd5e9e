/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.pool.PoolSettings;
import java.util.List;
import java.util.stream.Collectors;

/** The pools of a session by name. Immutable. */
final class StepPools {
    private final List<PoolSettings> settings;

    StepPools(List<PoolSettings> settings) {
        this.settings = List.copyOf(settings);
    }

    List<PoolSettings> settings() {
        return settings;
    }

    String id(int index) {
        return settings.get(index).id();
    }

    /** The pool that a member names; the only one if it is absent. */
    int index(JsonNode name, String field) throws StepException {
        if (name.isMissingNode() || name.isNull()) {
            if (settings.size() == 1) {
                return 0;
            }
            throw new StepException(field, field + " is required where there are several pools: " + names());
        }
        return index(name.asText(), field);
    }

    int index(String id, String field) throws StepException {
        for (int i = 0; i < settings.size(); i++) {
            if (settings.get(i).id().equals(id)) {
                return i;
            }
        }
        throw new StepException(field, field + ": there is no pool '" + id + "'; there are " + names());
    }

    private String names() {
        return settings.stream().map(PoolSettings::id).collect(Collectors.joining(", "));
    }
}
