/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes are of msgspec's and CPython's own making unless a test says otherwise. */
class KvDecoderTest {
    private static final HexFormat HEX = HexFormat.of();

    private static final String ARRAY =
            "99a94b764d6574726963730ccd0100ce0001e240ce0007a12003cb3fcf9acffa7eb6bfcb3fe000000000000000";

    private static final String FIELDS = "8c14726571756573745f6163746976655f736c6f7473944b0c8c13726571756573745f74"
            + "6f74616c5f736c6f7473944d00018c106b765f6163746976655f626c6f636b73944a40e201008c0f6b765f746f74616c5f626c6f"
            + "636b73944a20a107008c146e756d5f72657175657374735f77616974696e67944b038c146770755f63616368655f75736167655f"
            + "7065726394473fcf9acffa7eb6bf8c196770755f7072656669785f63616368655f6869745f7261746594473fe00000000000008c"
            + "12646174615f706172616c6c656c5f72616e6b944b00";

    /** A plain class by NEWOBJ and BUILD, protocol 4. */
    private static final String PLAIN_CLASS = "8004950d010000000000008c1d73676c616e672e7372742e6d616e61676572732e7363"
            + "686564756c6572948c094b764d6574726963739493942981947d9428" + FIELDS + "75622e";

    /** A msgspec struct by REDUCE of msgspec's rebuild, protocol 5. */
    private static final String STRUCT = "80059549010000000000008c0e6d7367737065632e5f7574696c73948c0772656275696c6494"
            + "93948c3c73676c616e672e7372742e6d616e61676572732e7363686564756c65725f636f6d706f6e656e74732e6b765f6576656e"
            + "74735f7075626c6973686572948c094b764d6574726963739493947d9428" + FIELDS + "75869452942e";

    private static final String LOAD_STAT = "96a84c6f6164537461740c03ce0001e240ce0007a12000";

    private static final String ACTIVE_LOAD = "85a9776f726b65725f6964cf001e131046684033a764705f72616e6b00b46163746976"
            + "655f6465636f64655f626c6f636b73c0b56163746976655f70726566696c6c5f746f6b656e73c0ae6b765f757365645f626c6f63"
            + "6b73cd1e24";

    private final KvDecoder decoder = new KvDecoder();

    private KvDecoding pushed(String hex) {
        byte[] bytes = HEX.parseHex(hex);
        return decoder.decodePushed(bytes, 0, bytes.length);
    }

    private KvDecoding activeLoad(String hex) {
        byte[] bytes = HEX.parseHex(hex);
        return decoder.decodeActiveLoad(bytes, 0, bytes.length);
    }

    private static KvReport accepted(KvDecoding decoding) {
        assertThat(decoding).isInstanceOf(KvDecoding.Accepted.class);
        return ((KvDecoding.Accepted) decoding).report();
    }

    private static RejectReason rejected(KvDecoding decoding) {
        assertThat(decoding).isInstanceOf(KvDecoding.Rejected.class);
        return ((KvDecoding.Rejected) decoding).reason();
    }

    @ParameterizedTest
    @ValueSource(strings = {ARRAY, PLAIN_CLASS, STRUCT})
    void readsKvMetricsInEveryForm(String hex) {
        KvReport report = accepted(pushed(hex));
        assertThat(report.kind()).isEqualTo(KvReport.Kind.KV_METRICS);
        assertThat(report.workerId()).isEmpty();
        assertThat(report.dpRank()).hasValue(0);
        assertThat(report.runningRequests()).hasValue(12);
        assertThat(report.maxRequests()).hasValue(256);
        assertThat(report.waitingRequests()).hasValue(3);
        assertThat(report.usedTokens()).hasValue(123_456);
        assertThat(report.capacityTokens()).hasValue(500_000);
        assertThat(report.usedShare()).hasValue(0.246912);
        assertThat(report.prefixHitShare()).hasValue(0.5);
        assertThat(report.usedBlocks()).isEmpty();
    }

    @Test
    void readsLoadStat() {
        KvReport report = accepted(pushed(LOAD_STAT));
        assertThat(report.kind()).isEqualTo(KvReport.Kind.LOAD_STAT);
        assertThat(report.runningRequests()).hasValue(12);
        assertThat(report.waitingRequests()).hasValue(3);
        assertThat(report.usedTokens()).hasValue(123_456);
        assertThat(report.capacityTokens()).hasValue(500_000);
        assertThat(report.dpRank()).hasValue(0);
        byte[] payload = HEX.parseHex(LOAD_STAT);
        byte[] topic = "load".getBytes(StandardCharsets.US_ASCII);
        assertThat(accepted(decoder.decodePublished(List.of(topic, new byte[8], payload))))
                .isEqualTo(report);
        assertThat(rejected(decoder.decodePublished(List.of(topic, new byte[7], payload))))
                .isEqualTo(RejectReason.BAD_SEQUENCE);
        assertThat(rejected(decoder.decodePublished(List.of(new byte[0], new byte[8], payload))))
                .isEqualTo(RejectReason.BAD_MULTIPART);
        assertThat(rejected(decoder.decodePublished(List.of(topic, payload)))).isEqualTo(RejectReason.BAD_MULTIPART);
    }

    @Test
    void readsActiveLoadWithItsNils() {
        KvReport report = accepted(activeLoad(ACTIVE_LOAD));
        assertThat(report.kind()).isEqualTo(KvReport.Kind.ACTIVE_LOAD);
        assertThat(report.workerId()).isEqualTo("8465209922961459");
        assertThat(report.dpRank()).hasValue(0);
        assertThat(report.usedBlocks()).hasValue(7716);
        assertThat(report.usedTokens()).isEmpty();
        assertThat(rejected(activeLoad("81a764705f72616e6b00"))).isEqualTo(RejectReason.NOT_KV);
        assertThat(rejected(activeLoad("81a9776f726b65725f6964a177"))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(rejected(activeLoad("c0"))).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(rejected(activeLoad(ACTIVE_LOAD + "00"))).isEqualTo(RejectReason.TRAILING_BYTES);
    }

    @Test
    void anArrayMayBeLongerOrShorterOrHoldNils() {
        KvReport longer = accepted(pushed("97a84c6f6164537461740c03040500" + "81a178c0"));
        assertThat(longer.dpRank()).hasValue(0);
        KvReport shorter = accepted(pushed("93a84c6f6164537461740cc0"));
        assertThat(shorter.runningRequests()).hasValue(12);
        assertThat(shorter.waitingRequests()).isEmpty();
        assertThat(shorter.capacityTokens()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', TRUNCATED",
        "90, NOT_KV",
        "91a3666f6f, NOT_KV",
        "9101, WRONG_TYPE",
        "c0, NOT_KV",
        "92a84c6f616453746174ff, NEGATIVE",
        "92a84c6f616453746174a178, WRONG_TYPE",
        "92a84c6f616453746174cb3ff0000000000000, WRONG_TYPE",
        "92a84c6f616453746174, TRUNCATED",
        "dd7fffffff, TRUNCATED",
        "91a94b764d65747269637300, TRAILING_BYTES",
    })
    void refusesArraysThatAreNoReport(String hex, RejectReason reason) {
        assertThat(rejected(pushed(hex))).isEqualTo(reason);
    }

    @Test
    void everyCutPickleIsRefused() {
        for (String hex : List.of(PLAIN_CLASS, STRUCT)) {
            byte[] bytes = HEX.parseHex(hex);
            for (int length = 2; length < bytes.length; length++) {
                assertThat(rejected(decoder.decodePushed(bytes, 0, length))).isEqualTo(RejectReason.TRUNCATED);
            }
        }
    }

    /** What pickle.dumps made of an object whose __reduce__ is {@code (os.system, ("touch /tmp/x",))}, and the like. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "800263706f7369780a73797374656d0a7100580c000000746f756368202f746d702f7871018571025271032e",
                "80049527000000000000008c05706f736978948c0673797374656d9493948c0c746f756368202f746d702f7894859452942e",
                // builtins.eval by STACK_GLOBAL; KvMetrics of a module that is not SGLang's; another class of SGLang
                "80048c086275696c74696e738c046576616c932e",
                "80048c0465766b76" + "8c094b764d657472696373932e",
                "80048c0a73676c616e672e7372748c054f74686572932e",
                // rebuild called with another thing, a KvMetrics called, NEWOBJ with arguments, an extension, a
                // persistent id
                "80048c0e6d7367737065632e5f7574696c738c0772656275696c64934b01" + "4b0186522e",
                "80048c0a73676c616e672e7372748c094b764d65747269637393" + "29522e",
                "80048c0a73676c616e672e7372748c094b764d65747269637393" + "4b01812e",
                "800482012e",
                "80048c0161512e",
                "8004636f730a73797374656d0a2e",
                "80042828646f730a73797374656d0a692e",
            })
    void refusesEveryOtherOpcodeAndName(String hex) {
        assertThat(rejected(pushed(hex))).isEqualTo(RejectReason.FORBIDDEN_PICKLE);
    }

    @ParameterizedTest
    @CsvSource({
        // a number; an empty dict; an opcode without operands; a memo never written; a protocol of the future
        "80044b012e, NOT_KV",
        "80047d2e, NOT_KV",
        "80042e, MALFORMED",
        "80046800, MALFORMED",
        "8006, UNSUPPORTED_VERSION",
        "80048a0900, TOO_LARGE",
        "800458ffffffff, TRUNCATED",
        "800495ffffffffffffffff, TRUNCATED",
        // KvMetrics without a field; with a negative count; with a text for a count
        "80048c0a73676c616e672e7372748c094b764d6574726963739329812e, NOT_KV",
        "80048c0a73676c616e672e7372748c094b764d65747269637393298"
                + "17d8c106b765f6163746976655f626c6f636b734affffffff73622e, NEGATIVE",
        "80048c0a73676c616e672e7372748c094b764d65747269637393298" + "17d8c106b765f6163746976655f626c6f636b738c01787362"
                + "2e, WRONG_TYPE",
    })
    void refusesPicklesThatAreNoReport(String hex, RejectReason reason) {
        assertThat(rejected(pushed(hex))).isEqualTo(reason);
    }

    @Test
    void readsNoneAsNotSaidAndLargeIntegers() {
        KvReport report = accepted(pushed("80048c0a73676c616e672e7372748c094b764d65747269637393298"
                + "17d288c106b765f6163746976655f626c6f636b734e8c0f6b765f746f74616c5f626c6f636b738a05000000800075622e"));
        assertThat(report.usedTokens()).isEmpty();
        assertThat(report.capacityTokens()).hasValue(1L << 31);
    }

    @Test
    void aBombOfMemoAndMarksIsBounded() {
        byte[] bomb = new byte[KvDecoder.MAX_BYTES];
        Arrays.fill(bomb, (byte) '(');
        bomb[0] = (byte) 0x80;
        bomb[1] = 4;
        assertThat(rejected(decoder.decodePushed(bomb, 0, bomb.length))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(rejected(decoder.decodePushed(new byte[KvDecoder.MAX_BYTES + 1], 0, KvDecoder.MAX_BYTES + 1)))
                .isEqualTo(RejectReason.TOO_LARGE);
    }
}
