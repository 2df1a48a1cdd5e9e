/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZmtpLinkTest {
    private static final int LARGEST = 300_000;
    private static final byte LONG = 2;

    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();

    private final LinkListener listener = new LinkListener() {
        @Override
        public void connected() {}

        @Override
        public void disconnected(String why) {}

        @Override
        public void incompatible(String why) {}

        @Override
        public void breached(String why) {}

        @Override
        public void message(ZmtpMessage message) {
            received.add(message.copy(0));
        }
    };

    @Test
    void messagesOfAnySizeArriveWholeHoweverTheyAreCut(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("s");
        try (WirePublisher publisher = new WirePublisher(path, 1);
                ZmtpReactor reactor = new ZmtpReactor(
                        "test", ZmtpSettings.of(new ZmtpLimits(LARGEST, LARGEST, 3), 0.1, 1), () -> {})) {
            reactor.start();
            reactor.connect(SocketKind.SUB, List.of(new byte[0]), UnixDomainSocketAddress.of(path), listener);
            publisher.awaitSubscriber();
            Random random = new Random(1);
            for (int round = 0; round < 40; round++) {
                exchange(publisher, random, round % 2 == 0 ? 1_000 : LARGEST);
            }
        }
    }

    @Test
    void everyMessageIsInABatchThatIsToldOfHoweverCloseTheyCome(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("s");
        BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
        try (WirePublisher publisher = new WirePublisher(path, 1);
                ZmtpReactor reactor = new ZmtpReactor(
                        "test",
                        ZmtpSettings.of(new ZmtpLimits(LARGEST, LARGEST, 3), 0.1, 1),
                        () -> told.add(received.size()))) {
            reactor.start();
            reactor.connect(SocketKind.SUB, List.of(new byte[0]), UnixDomainSocketAddress.of(path), listener);
            publisher.awaitSubscriber();
            for (int sent = 1; sent <= 200; sent++) {
                publisher.send(new byte[] {0, 1, 42});
                if (sent % 7 == 0) {
                    awaitTold(told, sent);
                }
            }
            awaitTold(told, 200);
        }
    }

    private static void awaitTold(BlockingQueue<Integer> told, int messages) throws InterruptedException {
        Integer known = 0;
        while (known != null && known < messages) {
            known = told.poll(20, TimeUnit.SECONDS);
        }
        assertThat(known).as("messages when a batch was told of").isEqualTo(messages);
    }

    /** Sends a few messages of up to that size in pieces, and awaits them. */
    private void exchange(WirePublisher publisher, Random random, int largest) throws Exception {
        byte[][] messages = new byte[1 + random.nextInt(6)][];
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < messages.length; i++) {
            messages[i] = new byte[random.nextInt(largest)];
            random.nextBytes(messages[i]);
            stream.writeBytes(
                    ByteBuffer.allocate(9).put(LONG).putLong(messages[i].length).array());
            stream.writeBytes(messages[i]);
        }
        byte[] bytes = stream.toByteArray();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + 1 + random.nextInt(Math.max(1, bytes.length / 4)));
            publisher.send(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        for (byte[] message : messages) {
            assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo(message);
        }
    }
}
