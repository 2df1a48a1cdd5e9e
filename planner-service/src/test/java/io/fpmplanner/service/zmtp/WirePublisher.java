/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The engine's side of a Unix-domain socket, byte by byte under the test's control; serves one subscriber at a time. */
public final class WirePublisher implements AutoCloseable {
    private final ServerSocketChannel server;
    private final int minor;
    private SocketChannel peer;
    private DataInputStream input;

    /** Binds the path; the file must not exist. */
    public WirePublisher(Path path, int minor) throws IOException {
        this.minor = minor;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
    }

    /** Accepts a subscriber, shakes hands and returns what it subscribes with, flags and body. */
    public byte[] awaitSubscriber() throws IOException {
        accept();
        send(Wire.greeting(3, minor, "NULL"));
        input.readNBytes(64);
        send(Wire.ready("PUB"));
        readFrame();
        return readFrame();
    }

    /** Accepts a connection and says nothing. */
    public void accept() throws IOException {
        peer = server.accept();
        input = new DataInputStream(Channels.newInputStream(peer));
    }

    /** The next frame of the subscriber, its flags first. */
    public byte[] readFrame() throws IOException {
        int flags = input.readUnsignedByte();
        int length = (flags & 2) == 0 ? input.readUnsignedByte() : (int) input.readLong();
        byte[] body = input.readNBytes(length);
        if (body.length < length) {
            throw new EOFException();
        }
        return Wire.join(new byte[] {(byte) flags}, body);
    }

    public void send(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                peer.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends in pieces of a few bytes. */
    public void dribble(byte[] bytes, int size) {
        for (int at = 0; at < bytes.length; at += size) {
            send(java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
        }
    }

    /** Whether the subscriber has hung up; waits for bytes or the end. */
    public boolean hungUp() throws IOException {
        return input.read() < 0;
    }

    @Override
    public void close() throws IOException {
        server.close();
        if (peer != null) {
            peer.close();
        }
    }
}
