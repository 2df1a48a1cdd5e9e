/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Named values of a message, {@link Long}, {@link Double} or null for "not said", checked as they are taken. Not threadsafe. */
final class KvFields {
    private final Map<String, ? extends @Nullable Object> values;

    KvFields(Map<String, ? extends @Nullable Object> values) {
        this.values = values;
    }

    OptionalLong count(String name) throws KvRefused {
        Object value = values.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!(value instanceof Long count)) {
            throw new KvRefused(RejectReason.WRONG_TYPE);
        }
        if (count < 0) {
            throw new KvRefused(RejectReason.NEGATIVE);
        }
        return OptionalLong.of(count);
    }

    OptionalInt rank(String name) throws KvRefused {
        OptionalLong rank = count(name);
        if (rank.isPresent() && rank.getAsLong() > Integer.MAX_VALUE) {
            throw new KvRefused(RejectReason.TOO_LARGE);
        }
        return rank.isPresent() ? OptionalInt.of((int) rank.getAsLong()) : OptionalInt.empty();
    }

    OptionalDouble share(String name) throws KvRefused {
        Object value = values.get(name);
        if (value == null) {
            return OptionalDouble.empty();
        }
        if (!(value instanceof Number number)) {
            throw new KvRefused(RejectReason.WRONG_TYPE);
        }
        double share = number.doubleValue();
        if (!Double.isFinite(share)) {
            throw new KvRefused(RejectReason.NOT_FINITE);
        }
        if (share < 0) {
            throw new KvRefused(RejectReason.NEGATIVE);
        }
        return OptionalDouble.of(share + 0.0); // -0.0 becomes 0.0
    }

    /** A KvMetrics report of these values; a message of which none is known is none. */
    KvReport kvMetrics() throws KvRefused {
        if (KvDecoder.KV_METRICS.stream().noneMatch(values::containsKey)) {
            throw new KvRefused(RejectReason.NOT_KV);
        }
        return new KvReport(
                KvReport.Kind.KV_METRICS,
                "",
                rank("data_parallel_rank"),
                count("request_active_slots"),
                count("request_total_slots"),
                count("num_requests_waiting"),
                count("kv_active_blocks"),
                count("kv_total_blocks"),
                OptionalLong.empty(),
                share("gpu_cache_usage_perc"),
                share("gpu_prefix_cache_hit_rate"));
    }

    KvReport loadStat() throws KvRefused {
        return new KvReport(
                KvReport.Kind.LOAD_STAT,
                "",
                rank("attn_dp_rank"),
                count("num_running_reqs"),
                OptionalLong.empty(),
                count("num_waiting_reqs"),
                count("num_tokens"),
                count("max_total_num_tokens"),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    KvReport activeLoad() throws KvRefused {
        OptionalLong worker = count("worker_id");
        if (worker.isEmpty()) {
            throw new KvRefused(RejectReason.NOT_KV);
        }
        // The routers' own estimates, checked and not used: schedulers tell what they hold themselves.
        count("active_decode_blocks");
        count("active_prefill_tokens");
        return new KvReport(
                KvReport.Kind.ACTIVE_LOAD,
                Long.toString(worker.getAsLong()),
                rank("dp_rank"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                count("kv_used_blocks"),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }
}
