/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The messages that KEDA is answered with, in the wire format of externalscaler.proto. */
final class Replies {
    private Replies() {}

    private interface Body {
        void write(CodedOutputStream out) throws IOException;
    }

    /** {@code IsActiveResponse{result = 1}}. */
    static byte[] active(boolean active) {
        return message(out -> out.writeBool(1, active));
    }

    /** {@code GetMetricSpecResponse{metricSpecs = 1: {metricName = 1, targetSize = 2, targetSizeFloat = 3}}}. */
    static byte[] specification(String metric, double target) {
        return wrapped(metric, target);
    }

    /** {@code GetMetricsResponse{metricValues = 1: {metricName = 1, metricValue = 2, metricValueFloat = 3}}}. */
    static byte[] value(String metric, double value) {
        return wrapped(metric, value);
    }

    /** Both forms of a number are given: older KEDAs read the whole one only. */
    private static byte[] wrapped(String metric, double number) {
        byte[] inner = message(out -> {
            out.writeString(1, metric);
            out.writeInt64(2, Math.round(number));
            out.writeDouble(3, number);
        });
        return message(out -> out.writeByteArray(1, inner));
    }

    private static byte[] message(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            body.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
