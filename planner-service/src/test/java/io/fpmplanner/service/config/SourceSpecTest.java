/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of sources: what is read, what is refused with which words, and which two are one. */
class SourceSpecTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://10.0.0.7:20380",
                "tcp://vllm-0.vllm:20380-20387",
                "tcp://[::1]:5",
                "tcp+bind://0.0.0.0:9000",
                "tcp+bind://*:9000",
                "tcp+bind://[::1]:0",
                "tcp+bind://localhost:0",
                "ipc:///run/fpm.0",
                "ipc:///run/fpm.*",
                "ipc:///run/engine-?/{a,b}/fpm.[0-9]",
                "dynamo+tcp://10.0.0.7:5000-5007",
                "dynamo-broker+tcp://broker:5556",
                "dynamo-broker+tcp://broker:5556/namespace.prod.component.",
            })
    void whatIsReadIsWrittenTheSameWay(String text) {
        SourceSpec spec = SourceSpec.parse("  " + text + " ");

        assertThat(spec).hasToString(text);
        assertThat(SourceSpec.parse(spec.toString())).isEqualTo(spec);
        assertThat(spec.endpoints()).isPositive();
    }

    @Test
    void schemesAreReadInAnyCase() {
        assertThat(SourceSpec.parse("TCP://A:1")).hasToString("tcp://A:1");
        assertThat(SourceSpec.parse("Dynamo-Broker+TCP://a:1")).isInstanceOf(DynamoSource.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp//a:1 | must be one of tcp://HOST:PORT or tcp://HOST:FIRST-LAST, tcp+bind://ADDRESS:PORT, ipc:///PATH,",
                "ipcc:///run/fpm | , was 'ipcc:///run/fpm', did you mean 'ipc://'?",
                "dynamo-tcp://a:1 | , did you mean 'dynamo+tcp://'?",
                "tcp://*:20380 | (the engine binds tcp://*; name the host that it runs on)",
                "tcp+bind://a:1-2 | must be tcp+bind://ADDRESS:PORT, was 'tcp+bind://a:1-2'",
                "tcp+bind://a | must be tcp+bind://ADDRESS:PORT",
                "tcp+bind://*:70000 | port must lie between 0 and 65535, was 70000",
                "tcp+bind://1.2.3:5 | '1.2.3' is no IPv4 address",
                "ipc://run/fpm | must be ipc:///PATH, was 'ipc://run/fpm'",
                "ipc://@abstract | (abstract sockets are not supported)",
                "ipc:///run/ | path must be absolute and name a file",
                "ipc:///run/[a | path has a pattern that cannot be read, '[a'",
                "dynamo+tcp://a:1/x | must be dynamo+tcp://HOST:PORT",
                "dynamo-broker+tcp://a:1/x y | must be dynamo-broker+tcp://HOST:PORT",
                "dynamo-broker+tcp://a | must be dynamo-broker+tcp://HOST:PORT",
            })
    void anotherFormIsRefusedWithTheRightOne(String text, String words) {
        assertThatThrownBy(() -> SourceSpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aPathTooLongForASocketIsRefusedAndAPatternIsNot() {
        String longPath = "/" + "x".repeat(107);
        assertThatThrownBy(() -> SourceSpec.parse("ipc://" + longPath)).hasMessageContaining("at most 107 bytes");
        assertThat(SourceSpec.parse("ipc://" + longPath + "*")).isInstanceOf(IpcSource.class);
    }

    @ParameterizedTest
    @CsvSource({
        "tcp://a:1, tcp://a:1, true",
        "tcp://a:1-5, tcp://a:5-6, true",
        "tcp://a:1, dynamo+tcp://a:1, true",
        "dynamo+tcp://a:1, tcp://a:1, true",
        "tcp://a:1, tcp://a:2, false",
        "tcp://a:1, tcp+bind://a:1, false",
        "tcp+bind://*:1, tcp+bind://127.0.0.1:1, true",
        "tcp+bind://127.0.0.1:1, tcp+bind://127.0.0.2:1, false",
        "tcp+bind://*:0, tcp+bind://*:0, false",
        "ipc:///run/fpm.0, ipc:///run/fpm.*, true",
        "ipc:///run/fpm.*, ipc:///run/fpm.0, true",
        "ipc:///run/fpm.*, ipc:///run/other.0, false",
        "ipc:///run/fpm.0, ipc:///run/fpm.1, false",
        "dynamo-broker+tcp://a:1, dynamo-broker+tcp://a:1/namespace.x, true",
        "dynamo-broker+tcp://a:1/namespace.x, dynamo-broker+tcp://a:1/namespace.y, false",
    })
    void twoThatCouldBringOneFrameTwiceOverlap(String first, String second, boolean overlap) {
        SourceSpec one = SourceSpec.parse(first);
        SourceSpec other = SourceSpec.parse(second);
        boolean asked = one.keys().stream().anyMatch(other.keys()::contains);

        assertThat(asked && other.overlaps(one)).isEqualTo(overlap);
        assertThat(asked && one.overlaps(other)).isEqualTo(overlap);
    }
}
