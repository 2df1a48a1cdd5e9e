/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

/** The messages that KEDA is answered with, in the wire format of externalscaler.proto. */
final class Replies {
    private Replies() {}

    /** {@code IsActiveResponse{result = 1}}. */
    static byte[] active(boolean active) {
        return WireMessage.of(out -> out.writeBool(1, active));
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
        byte[] inner = WireMessage.of(out -> {
            out.writeString(1, metric);
            out.writeInt64(2, Math.round(number));
            out.writeDouble(3, number);
        });
        return WireMessage.of(out -> out.writeByteArray(1, inner));
    }
}
