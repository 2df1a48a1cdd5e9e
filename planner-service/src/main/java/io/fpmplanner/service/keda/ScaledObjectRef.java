/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What KEDA says about who asks.
 *
 * @param name of the ScaledObject
 * @param namespace of the ScaledObject
 * @param metadata of the trigger
 */
record ScaledObjectRef(String name, String namespace, Map<String, String> metadata) {
    private static final ScaledObjectRef NONE = new ScaledObjectRef("", "", Map.of());

    ScaledObjectRef {
        metadata = Map.copyOf(metadata);
    }

    /*
     * Wire format of externalscaler.proto (KEDA): ScaledObjectRef is name = 1, namespace = 2, scalerMetadata = 3 (a map, so
     * entries of key = 1 and value = 2); GetMetricsRequest is scaledObjectRef = 1, metricName = 2. Read by protobuf's own
     * reader, without generated code: there are two messages to read.
     */
    static ScaledObjectRef read(byte[] message) throws IOException {
        return read(CodedInputStream.newInstance(message));
    }

    /** The one inside a request for metrics. */
    static ScaledObjectRef readFromMetricsRequest(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        ScaledObjectRef reference = NONE;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                reference = read(in.readByteArray());
            } else {
                in.skipField(tag);
            }
        }
        return reference;
    }

    private static ScaledObjectRef read(CodedInputStream in) throws IOException {
        String name = "";
        String namespace = "";
        Map<String, String> metadata = new HashMap<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> name = in.readStringRequireUtf8();
                case 2 -> namespace = in.readStringRequireUtf8();
                case 3 -> readEntry(CodedInputStream.newInstance(in.readByteArray()), metadata);
                default -> in.skipField(tag);
            }
        }
        return new ScaledObjectRef(name, namespace, metadata);
    }

    private static void readEntry(CodedInputStream in, Map<String, String> metadata) throws IOException {
        String key = "";
        String value = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> key = in.readStringRequireUtf8();
                case 2 -> value = in.readStringRequireUtf8();
                default -> in.skipField(tag);
            }
        }
        metadata.put(key, value);
    }
}
