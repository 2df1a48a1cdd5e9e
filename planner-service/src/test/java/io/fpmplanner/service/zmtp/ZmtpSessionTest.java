/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import static io.fpmplanner.service.zmtp.Wire.ascii;
import static io.fpmplanner.service.zmtp.Wire.command;
import static io.fpmplanner.service.zmtp.Wire.frame;
import static io.fpmplanner.service.zmtp.Wire.greeting;
import static io.fpmplanner.service.zmtp.Wire.header;
import static io.fpmplanner.service.zmtp.Wire.join;
import static io.fpmplanner.service.zmtp.Wire.longFrame;
import static io.fpmplanner.service.zmtp.Wire.message;
import static io.fpmplanner.service.zmtp.Wire.ready;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol by its bytes: what we say, what we understand, what we refuse. */
class ZmtpSessionTest {
    private final SessionFeed feed = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));

    @Test
    void weGreetWithZmtp31AndTheNullMechanismAsAClient() {
        assertThat(feed.session().takeOutput()).isEqualTo(greeting(3, 1, "NULL"));
    }

    @Test
    void thePeerOf31GetsReadyAndASubscriptionByCommand() {
        feed.session().takeOutput();
        feed.give(greeting(3, 1, "NULL"));
        assertThat(feed.session().takeOutput())
                .isEqualTo(join(
                        new byte[] {4, 25, 5},
                        ascii("READY"),
                        new byte[] {11},
                        ascii("Socket-Type"),
                        new byte[] {0, 0, 0, 3},
                        ascii("SUB")));
        feed.give(ready("PUB"));

        assertThat(feed.session().takeOutput()).isEqualTo(command("SUBSCRIBE"));
        assertThat(feed.session().isReady()).isTrue();
        assertThat(feed.handshakes()).isEqualTo(1);
    }

    @Test
    void thePeerOf30GetsTheSubscriptionAsAMessageAndIsNotPinged() {
        SessionFeed topics = new SessionFeed(SocketKind.SUB, List.of(ascii("a"), ascii("bc")));
        topics.give(greeting(3, 0, "NULL"));
        topics.session().takeOutput();
        topics.give(ready("XPUB"));

        assertThat(topics.session().takeOutput())
                .isEqualTo(join(message(ascii("\u0001a")), message(ascii("\u0001bc"))));
        assertThat(topics.session().canPing()).isFalse();
    }

    @Test
    void aPullSubscribesToNothingAndTakesAPushOnly() {
        SessionFeed pull = new SessionFeed(SocketKind.PULL, List.of());
        pull.give(greeting(3, 1, "NULL"));
        pull.session().takeOutput();
        pull.give(join(ready("PUSH"), message(ascii("x"))));

        assertThat(pull.session().hasOutput()).isFalse();
        assertThat(pull.messages()).containsExactly(List.of("x"));
    }

    @Test
    void messagesOfEveryFormAreRead() {
        byte[] large = new byte[300];
        feed.handshake();
        feed.give(join(
                message(ascii("one")),
                message(ascii(""), ascii("12345678"), ascii("payload")),
                longFrame(0, ascii("short body, long form")),
                message(large, ascii("tail"))));

        assertThat(feed.messages())
                .containsExactly(
                        List.of("one"),
                        List.of("", "12345678", "payload"),
                        List.of("short body, long form"),
                        List.of("\0".repeat(300), "tail"));
    }

    @Test
    void aPingIsAnsweredByItsContextEvenAmongThePartsOfAMessage() {
        feed.handshake();
        byte[] stream = join(
                frame(1, ascii("a")), command("PING", (byte) 0, (byte) 100, (byte) 7, (byte) 8), frame(0, ascii("b")));
        // In two pieces: the command must be carried out once though the message is looked at twice.
        feed.give(stream, stream.length - 1);
        feed.give(new byte[] {stream[stream.length - 1]});

        assertThat(feed.session().takeOutput()).isEqualTo(command("PONG", (byte) 7, (byte) 8));
        assertThat(feed.messages()).containsExactly(List.of("a", "b"));
    }

    @Test
    void aPingOfOursIsWellFormedAndItsAnswerIsTaken() {
        feed.handshake();
        feed.session().ping();
        assertThat(feed.session().takeOutput()).isEqualTo(command("PING", (byte) 0, (byte) 0));

        feed.give(join(command("PONG"), command("SUBSCRIBE"), command("WHATEVER", new byte[500]), message(ascii("x"))));

        assertThat(feed.session().fault()).isNull();
        assertThat(feed.messages()).containsExactly(List.of("x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 400 Bad Request | does not speak ZMTP",
                "SSH-2.0-OpenSSH | does not speak ZMTP",
                "x | does not speak ZMTP",
            })
    void anotherProtocolIsKnownByItsFirstByte(String said, String why) {
        feed.give(ascii(said));

        assertThat(feed.fault()).isEqualTo("FOREIGN the peer " + why);
    }

    @Test
    void olderProtocolsAndOtherMechanismsAreForeign() {
        assertThat(after(greeting(2, 0, "NULL"))).isEqualTo("FOREIGN the peer speaks ZMTP 2, not 3");
        assertThat(after(join(new byte[] {(byte) 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7e, 3})))
                .isEqualTo("FOREIGN the peer does not speak ZMTP");
        assertThat(after(greeting(3, 0, "CURVE")))
                .isEqualTo("FOREIGN the peer wants the security mechanism CURVE, not NULL");
        assertThat(after(greeting(3, 1, "e\u0007vil")))
                .isEqualTo("FOREIGN the peer wants the security mechanism unprintable, not NULL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUSH", "SUB", "REP", "ROUTER", "pub", "<script>"})
    void aSocketThatDoesNotPublishIsForeign(String type) {
        String shown = type.startsWith("<") ? "unprintable" : type;
        assertThat(after(join(greeting(3, 1, "NULL"), ready(type))))
                .isEqualTo("FOREIGN the peer is a " + shown + " socket, not PUB or XPUB");
    }

    @Test
    void aHandshakeThatIsNoneIsForeignOrABreach() {
        byte[] greeting = greeting(3, 1, "NULL");
        assertThat(after(join(greeting, message(ascii("x")))))
                .isEqualTo("FOREIGN the peer sends a message before READY");
        assertThat(after(join(greeting, command("HELLO")))).isEqualTo("FOREIGN the peer sends HELLO instead of READY");
        assertThat(after(join(greeting, command("ERROR", ascii("\u0004Nope")))))
                .isEqualTo("FOREIGN the peer refuses us: Nope");
        assertThat(after(join(greeting, command("READY")))).contains("is a nameless socket");
        assertThat(after(join(greeting, command("READY", ascii("\u000bSocket")))))
                .isEqualTo("BREACH READY has a malformed property");
        assertThat(after(join(greeting, command("READY", join(ascii("\u0001x"), new byte[] {-1, -1, -1, -1})))))
                .isEqualTo("BREACH READY has a malformed property");
        assertThat(after(join(greeting, frame(4, new byte[0])))).isEqualTo("BREACH a command has no name");
        assertThat(after(join(greeting, frame(4, ascii("\tREADY"))))).isEqualTo("BREACH a command has no name");
    }

    @Test
    void whatExceedsALimitIsABreachBeforeItIsReceived() {
        byte[] start = join(greeting(3, 1, "NULL"), ready("PUB"));
        assertThat(after(join(start, header(0, SessionFeed.LIMITS.partBytes() + 1))))
                .contains("BREACH a message part");
        assertThat(after(join(start, header(0, -1)))).contains("declares 18446744073709551615 bytes");
        assertThat(after(join(start, header(0, Long.MAX_VALUE)))).contains("declares 9223372036854775807 bytes");
        assertThat(after(join(start, header(4, 5_000)))).contains("BREACH a command declares 5000 bytes");
        byte[] parts = start;
        for (int i = 0; i <= SessionFeed.LIMITS.parts(); i++) {
            parts = join(parts, frame(1, new byte[0]));
        }
        assertThat(after(parts)).isEqualTo("BREACH a message has more than 4 parts");
        byte[] half = new byte[SessionFeed.LIMITS.partBytes()];
        assertThat(after(join(start, frame(1, half), frame(1, half), frame(1, half))))
                .isEqualTo("BREACH a message exceeds 1100 bytes in all");
    }

    @Test
    void endlessCommandsWithinAMessageAreABreach() {
        byte[] stream = join(greeting(3, 1, "NULL"), ready("PUB"), frame(1, new byte[0]));
        for (int i = 0; i < 200; i++) {
            stream = join(stream, command("PONG"));
        }
        assertThat(after(stream)).isEqualTo("BREACH a message exceeds 1100 bytes in all");
    }

    @Test
    void aPeerThatPingsWithoutReadingIsABreach() {
        feed.handshake();
        byte[] ping = command("PING", new byte[18]);
        for (int i = 0; i < 5_000 && feed.session().fault() == null; i++) {
            feed.give(ping);
        }
        assertThat(feed.fault()).isEqualTo("BREACH the peer does not read what it asks for");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x08, 0x10, 0x80, 0x05, 0x07, 0xff})
    void flagsThatCannotBeAreABreach(int flags) {
        assertThat(after(join(greeting(3, 1, "NULL"), ready("PUB"), new byte[] {(byte) flags, 1, 1, 1, 1, 1, 1, 1, 1})))
                .startsWith("BREACH a frame has flags that cannot be");
    }

    @Test
    void malformedPingsAndErrorsEndTheTraffic() {
        byte[] start = join(greeting(3, 1, "NULL"), ready("PUB"));
        assertThat(after(join(start, command("PING", (byte) 1)))).isEqualTo("BREACH a PING has 1 bytes");
        assertThat(after(join(start, command("PING", new byte[19])))).isEqualTo("BREACH a PING has 19 bytes");
        assertThat(after(join(start, command("ERROR", (byte) 200, (byte) 'a'))))
                .isEqualTo("BREACH the peer says ERROR: a");
    }

    private static String after(byte[] stream) {
        SessionFeed fresh = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));
        fresh.give(stream);
        return fresh.fault();
    }
}
