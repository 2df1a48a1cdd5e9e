/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The registry of a Dynamo planner over real gRPC: keeps what it is asked, and answers as it is told to. */
final class FakeRegistry implements AutoCloseable {
    private static final String SERVICE = "dynamo.planner.plugin.v1.PluginRegistry/";

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final HttpServer server;

    /** A method with the fields of its message, by number. */
    record Call(String method, Map<Integer, String> fields) {}

    /** An answer, or an error. */
    record Reply(GrpcStatus status, Buffer message) {
        static final Reply YES = new Reply(GrpcStatus.OK, Buffer.buffer(new byte[] {0x08, 0x01}));
        static final Reply NO = new Reply(GrpcStatus.OK, Buffer.buffer());

        static Reply no(String why) {
            return new Reply(
                    GrpcStatus.OK,
                    Buffer.buffer(new byte[] {0x12, (byte) why.length()}).appendString(why));
        }

        static Reply error(GrpcStatus status) {
            return new Reply(status, Buffer.buffer());
        }
    }

    FakeRegistry(int port, Function<Call, Reply> replies) throws Exception {
        GrpcServer grpc = GrpcServer.server(vertx)
                .callHandler(request -> request.handler(message -> answer(request, message, replies)));
        server = vertx.createHttpServer()
                .requestHandler(grpc)
                .listen(port, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private void answer(GrpcServerRequest<Buffer, Buffer> request, Buffer message, Function<Call, Reply> replies) {
        Call call = new Call(request.fullMethodName().replace(SERVICE, ""), fields(message.getBytes()));
        calls.add(call);
        Reply reply = replies.apply(call);
        if (reply.status() == GrpcStatus.OK) {
            request.response().end(reply.message());
        } else {
            request.response().status(reply.status()).end();
        }
    }

    private static Map<Integer, String> fields(byte[] message) {
        Map<Integer, String> fields = new TreeMap<>();
        try {
            CodedInputStream in = CodedInputStream.newInstance(message);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                boolean number = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT;
                fields.put(
                        WireFormat.getTagFieldNumber(tag),
                        number ? Long.toString(in.readUInt64()) : in.readStringRequireUtf8());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fields;
    }

    int port() {
        return server.actualPort();
    }

    /** The next call, waited for. */
    Call next() throws InterruptedException {
        Call call = calls.poll(30, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("the registry was not asked any more");
        }
        return call;
    }

    /** The next call of that method, others passed over. */
    Call next(String method) throws InterruptedException {
        Call call = next();
        while (!call.method().equals(method)) {
            call = next();
        }
        return call;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
