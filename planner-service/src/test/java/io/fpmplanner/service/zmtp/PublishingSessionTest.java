/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session that publishes: to whom, what, and how much at most. */
class PublishingSessionTest {
    private static final byte[] TOPIC = Wire.ascii("topic");
    private static final byte[] LARGE = new byte[70_000];

    private final SessionFeed feed = new SessionFeed(SocketKind.PUB, List.of());
    private final ZmtpSession session = feed.session();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsWhatIsSubscribedToAndNothingElse(boolean byCommand) {
        assertThat(publish(TOPIC)).as("before the handshake").isFalse();
        handshake("SUB");
        assertThat(publish(TOPIC)).as("before a subscription").isFalse();
        assertThat(session.isSubscribed()).isFalse();

        subscribe(byCommand, "top");
        assertThat(session.isSubscribed()).isTrue();
        assertThat(publish(TOPIC, new byte[0], LARGE)).isTrue();
        assertThat(session.takeOutput()).isEqualTo(Wire.message(TOPIC, new byte[0], LARGE));
        assertThat(publish(Wire.ascii("other"))).isFalse();
        assertThat(publish(Wire.ascii("to"))).isFalse();
        assertThat(session.hasOutput()).isFalse();

        cancel(byCommand, "top");
        assertThat(publish(TOPIC)).isFalse();
        subscribe(byCommand, "");
        assertThat(publish(new byte[0], new byte[8])).isTrue();
        assertThat(feed.fault()).isEmpty();
    }

    @Test
    void dropsWhatAPeerThatDoesNotReadHasNoRoomFor() {
        handshake("XSUB");
        subscribe(true, "");
        int sent = 0;
        while (publish(LARGE)) {
            sent++;
        }
        assertThat(sent).isEqualTo(7); // of 512 KiB

        session.takeOutput();
        assertThat(publish(LARGE)).isTrue();
        assertThat(session.publish(message(LARGE), 512 * 1024))
                .as("what waits elsewhere counts")
                .isFalse();
        assertThat(feed.fault()).isEmpty();
    }

    @Test
    void otherPublishersAreNoPeers() {
        handshake("PUB");

        assertThat(feed.fault()).contains("not SUB or XSUB");
    }

    @Test
    void subscriptionsAreBounded() {
        handshake("SUB");
        for (int i = 0; i < 10_000; i++) {
            subscribe(i % 2 == 0, "prefix " + i + ";");
        }
        assertThat(publish(Wire.ascii("prefix 255;"))).isTrue();
        assertThat(publish(Wire.ascii("prefix 9999;"))).isFalse();
        feed.give(Wire.message(new byte[0]));
        feed.give(Wire.message(new byte[] {7, 7}));
        assertThat(feed.fault()).isEmpty();
    }

    private void handshake(String peer) {
        feed.give(Wire.join(Wire.greeting(3, 1, "NULL"), Wire.ready(peer)));
        session.takeOutput();
    }

    private void subscribe(boolean byCommand, String topic) {
        feed.give(
                byCommand
                        ? Wire.command("SUBSCRIBE", Wire.ascii(topic))
                        : Wire.message(Wire.join(new byte[] {1}, Wire.ascii(topic))));
    }

    private void cancel(boolean byCommand, String topic) {
        feed.give(
                byCommand
                        ? Wire.command("CANCEL", Wire.ascii(topic))
                        : Wire.message(Wire.join(new byte[] {0}, Wire.ascii(topic))));
    }

    private boolean publish(byte[]... parts) {
        return session.publish(message(parts), 0);
    }

    private static ZmtpMessage message(byte[]... parts) {
        ZmtpMessage message = new ZmtpMessage();
        byte[] buffer = Wire.join(parts);
        message.clear(buffer);
        int at = 0;
        for (byte[] part : parts) {
            message.add(at, part.length);
            at += part.length;
        }
        return message;
    }
}
