/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySuggestionTest {
    @ParameterizedTest
    @CsvSource({
        "htpp, http",
        "http.hots, host",
        "pools[0].slo.itlSecond, itlSeconds",
        "pools[0].slo.ttft, ttftSeconds",
        "pools[0].slo.ttft_ms, ttftSeconds",
        "pools[0].slo.tpot, itlSeconds",
        "pools[0].slo.TTFT-SECONDS, ttftSeconds",
        "pools[0].engine.max_num_seqs, maxSequences",
        "pools[0].engine.max-running-requests, maxSequences",
        "pools[0].engine.maxNumBatchedTokens, maxBatchedTokens",
        "pools[0].engine.chunked_prefill_size, maxBatchedTokens",
        "pools[0].max_num_seqs, pools[0].engine.maxSequences",
        "pools[12].max_running_requests, pools[12].engine.maxSequences",
        "pools[1].ttft, pools[1].slo.ttftSeconds",
        "pools[1].maxReplicas, pools[1].scaling.maxReplicas",
        "pools[0].max_gpu_budget, gpuBudgets[].maxGpus",
        "pools[0].name, id",
        "max_num_seqs, pools[].engine.maxSequences",
        "ttft, pools[].slo.ttftSeconds",
        "slo, pools[].slo",
        "port, http.port",
        "namespace, pools[].kubernetes.namespace",
        "pools[0].endpoints[0], sources",
    })
    void whatWasMeantIsNamed(String wrong, String meant) {
        assertThat(KeySuggestion.forPath(wrong)).isEqualTo(", did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({
        "http.prt, http.port",
        "pools[0].slo.ttft, pools[0].slo.ttftSeconds",
        "pool[0].id, pools[].id",
        "pools[0].max_num_seqs, pools[0].engine.maxSequences",
        "tickSecond, tickSeconds",
    })
    void aFlagIsNamedWithItsWholePath(String wrong, String meant) {
        assertThat(KeySuggestion.forFlag(wrong)).isEqualTo(", did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({"zzz", "pools[0].zzz", "http.temperature", "pools[0].engine.quantization", "unrelated.thing"})
    void nothingIsMadeUp(String wrong) {
        assertThat(KeySuggestion.forPath(wrong)).isEmpty();
    }

    @Test
    void whatExistsIsSuggestedOnly() {
        ConfigSchema.keys()
                .forEach(key -> assertThat(KeySuggestion.forFlag(key.path() + "X"))
                        .as(key.path())
                        .isNotEmpty());
    }
}
