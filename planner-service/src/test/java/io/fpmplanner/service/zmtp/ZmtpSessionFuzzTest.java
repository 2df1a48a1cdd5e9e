/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** No bytes make the reader throw or hoard, and how a stream is cut up never matters. */
class ZmtpSessionFuzzTest {
    private static final byte[] HANDSHAKE = Wire.join(Wire.greeting(3, 1, "NULL"), Wire.ready("PUB"));

    /** More than a whole message and its commands, plus what one read brings on top. */
    private static final int MOST_LEFT = SessionFeed.LIMITS.messageBytes() + 2 * 4_096;

    @Property(tries = 500)
    void everySplitOfAStreamGivesTheSameMessagesAndAnswers(@ForAll("streams") byte[] stream, @ForAll long seed) {
        SessionFeed whole = feed(stream);
        Random random = new Random(seed);
        SessionFeed pieces = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));
        int at = 0;
        while (at < stream.length) {
            int size = Math.min(stream.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 700));
            pieces.give(Arrays.copyOfRange(stream, at, at + size));
            at += size;
        }

        assertThat(pieces.messages()).isEqualTo(whole.messages());
        assertThat(pieces.fault()).isEqualTo(whole.fault());
        assertThat(pieces.session().takeOutput()).isEqualTo(whole.session().takeOutput());
    }

    @Property(tries = 2_000)
    void mutatedStreamsNeitherThrowNorHoard(
            @ForAll("streams") byte[] stream, @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int changes) {
        Random random = new Random(seed);
        byte[] mutated = stream.clone();
        for (int i = 0; i < changes; i++) {
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
        }
        SessionFeed fed = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));
        for (int at = 0; at < mutated.length; at += 64) {
            fed.give(Arrays.copyOfRange(mutated, at, Math.min(mutated.length, at + 64)));
        }

        assertThat(fed.mostLeft()).isLessThanOrEqualTo(MOST_LEFT);
        for (List<String> message : fed.messages()) {
            assertThat(message.size()).isBetween(1, SessionFeed.LIMITS.parts());
            assertThat(message.stream().mapToInt(String::length).sum())
                    .isLessThanOrEqualTo(SessionFeed.LIMITS.messageBytes());
        }
    }

    /** Noise after a sound handshake, where most of the grammar is; a fault must be final. */
    @Test
    void aMillionBytesOfNoiseInThousandsOfSessionsNeitherThrowNorHoard() {
        Random random = new Random(20_240_601);
        int faults = 0;
        for (int i = 0; i < 4_000; i++) {
            byte[] noise = new byte[256];
            random.nextBytes(noise);
            if (i % 2 == 0) {
                // Likely flags, so that the noise is not refused at its first byte.
                for (int at = 0; at < noise.length; at += 8) {
                    noise[at] = (byte) random.nextInt(8);
                }
            }
            SessionFeed fed = feed(HANDSHAKE);
            fed.give(noise);
            String first = fed.fault();
            fed.give(noise);
            assertThat(fed.mostLeft()).isLessThanOrEqualTo(MOST_LEFT);
            if (!first.isEmpty()) {
                faults++;
                assertThat(fed.fault()).isEqualTo(first);
            }
        }
        assertThat(faults).isGreaterThan(2_000);
    }

    @Provide
    Arbitrary<byte[]> streams() {
        Arbitrary<byte[]> body = Arbitraries.bytes().array(byte[].class).ofMaxSize(400);
        Arbitrary<byte[]> message =
                body.array(byte[][].class).ofMinSize(1).ofMaxSize(3).map(Wire::message);
        Arbitrary<byte[]> longForm = body.map(bytes -> Wire.longFrame(0, bytes));
        Arbitrary<byte[]> ping = Arbitraries.bytes()
                .array(byte[].class)
                .ofMinSize(2)
                .ofMaxSize(18)
                .map(bytes -> Wire.command("PING", bytes));
        Arbitrary<byte[]> pingWithin = ping.map(
                bytes -> Wire.join(Wire.frame(1, Wire.ascii("first")), bytes, Wire.frame(0, Wire.ascii("second"))));
        Arbitrary<byte[]> other = body.map(bytes -> Wire.command("CANCEL", bytes));
        return Arbitraries.oneOf(message, message, message, longForm, ping, pingWithin, other)
                .array(byte[][].class)
                .ofMaxSize(12)
                .map(frames -> Wire.join(HANDSHAKE, Wire.join(frames)));
    }

    private static SessionFeed feed(byte[] stream) {
        SessionFeed fed = new SessionFeed(SocketKind.SUB, List.of(new byte[0]));
        fed.give(stream);
        return fed;
    }
}
