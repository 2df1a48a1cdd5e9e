/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.fpmplanner.service.config.DynamoSettings.Registry;
import io.fpmplanner.service.dynamo.Registration.Answer;
import io.fpmplanner.service.keda.WireMessage;
import java.io.IOException;

/** The messages of {@code dynamo.planner.plugin.v1.PluginRegistry}, by the numbers of deploy/dynamo/planner_plugin.proto. */
final class RegistryMessages {
    private static final String PROTOCOL = "1.0";
    private static final int ANSWER = 1 << 3 | WireFormat.WIRETYPE_VARINT;
    private static final int REASON = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private RegistryMessages() {}

    /**
     * {@code RegisterRequest}. Asked at every tick and held never: the plan is always a new one. Of what Dynamo observed the
     * least is asked for, since frames come from the pools' own sources.
     */
    static byte[] register(Registry registry, String version, String token) {
        return WireMessage.of(out -> {
            out.writeString(1, registry.pluginId());
            out.writeString(2, "propose");
            out.writeUInt32(3, registry.priority());
            out.writeString(4, registry.endpoint());
            out.writeString(5, version);
            out.writeString(8, "observations.workers");
            out.writeString(9, PROTOCOL);
            out.writeString(10, token);
        });
    }

    /** {@code HeartbeatRequest}. */
    static byte[] heartbeat(Registry registry, String token) {
        return WireMessage.of(out -> {
            out.writeString(1, registry.pluginId());
            out.writeString(2, token);
        });
    }

    /** {@code UnregisterRequest}. */
    static byte[] unregister(Registry registry, String token) {
        return WireMessage.of(out -> {
            out.writeString(1, registry.pluginId());
            out.writeString(2, "graceful_shutdown");
            out.writeString(3, token);
        });
    }

    /**
     * {@code RegisterResponse{accepted = 1, reject_reason = 2}}, and the {@code ok = 1} of the others; a field that is left out
     * is false.
     */
    static Answer answer(byte[] response) {
        boolean done = false;
        String why = "";
        try {
            CodedInputStream in = CodedInputStream.newInstance(response);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                switch (tag) {
                    case ANSWER -> done = in.readBool();
                    case REASON -> why = in.readString();
                    default -> in.skipField(tag);
                }
            }
        } catch (IOException e) {
            return Answer.failed("the answer is malformed");
        }
        return done ? Answer.DONE : Answer.refused(why);
    }
}
