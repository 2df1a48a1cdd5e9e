/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names of fields that stand beside {@code worker_id} instead of inside {@code scheduled_requests} or {@code
 * queued_requests}.
 *
 * <p>Three habits are known: the wire's name with {@code scheduled_} or {@code queued_} before it; the path with a dot
 * between; and the columns of Dynamo's detail recordings, where the scheduled side has no prefix and the queued side
 * drops {@code num_} and {@code sum_}.
 */
final class FlatNames {
    static final String SCHEDULED = "scheduled_requests";
    static final String QUEUED = "queued_requests";

    private static final List<String> SCHEDULED_FIELDS = List.of(
            "num_prefill_requests",
            "sum_prefill_tokens",
            "var_prefill_length",
            "sum_prefill_kv_tokens",
            "num_decode_requests",
            "sum_decode_kv_tokens",
            "var_decode_kv_tokens");

    private static final List<String> QUEUED_FIELDS = List.of(
            "num_prefill_requests",
            "sum_prefill_tokens",
            "var_prefill_length",
            "num_decode_requests",
            "sum_decode_kv_tokens",
            "var_decode_kv_tokens");

    private static final Map<String, Place> PLACES = places();

    /** Where a flat name belongs: the map and the name in it. */
    record Place(String map, String field) {}

    private FlatNames() {}

    /** Null if the name is not a flat one. */
    static @Nullable Place place(String name) {
        return PLACES.get(name);
    }

    private static Map<String, Place> places() {
        Map<String, Place> places = new HashMap<>();
        for (String field : SCHEDULED_FIELDS) {
            Place place = new Place(SCHEDULED, field);
            places.put(field, place);
            places.put("scheduled_" + field, place);
            places.put(SCHEDULED + "." + field, place);
        }
        for (String field : QUEUED_FIELDS) {
            Place place = new Place(QUEUED, field);
            places.put("queued_" + field, place);
            places.put("queued_" + field.replaceFirst("^(num|sum)_", ""), place);
            places.put(QUEUED + "." + field, place);
        }
        return Map.copyOf(places);
    }
}
