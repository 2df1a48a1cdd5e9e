/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrameLineReaderTest {
    private static final String FRAME =
            "{\"worker_id\":\"w\",\"wall_time\":0.02,\"scheduled_requests\":{\"num_decode_requests\":4}}";

    private final FrameLineReader reader = new FrameLineReader();
    private final FpmFrame frame = new FpmFrame();

    @Test
    void readsDynamosExport() {
        assertThat(read("{\"namespace\":\"dynamo\",\"component\":\"backend\",\"publisher_id\":17,\"sequence\":23,"
                        + "\"published_at_ms\":1700000000123,\"metrics\":" + FRAME + "}\r\n"))
                .isNull();

        assertThat(frame.scheduledDecodeRequests()).isEqualTo(4);
        assertThat(reader.publisher()).isEqualTo("17");
        assertThat(reader.component()).isEqualTo("dynamo/backend");
        assertThat(reader.sequence()).isEqualTo(23);
        assertThat(reader.publishedAtMillis()).isEqualTo(1_700_000_000_123L);
    }

    @Test
    void readsALineOfDynamosTrace() {
        String event = "{\"schema\":\"dynamo.fpm.trace.v1\",\"source\":{\"namespace\":\"default\","
                + "\"component\":\"backend\",\"producer_id\":\"4192\"},\"capture_mode\":\"full\","
                + "\"observed_at_unix_ms\":1782777601250,\"fpm\":" + FRAME + "}";
        for (String line : new String[] {"{\"timestamp\":1250,\"event\":" + event + "}", event}) {
            assertThat(read(line)).isNull();
            assertThat(frame.workerId()).isEqualTo("w");
            assertThat(reader.publisher()).isEqualTo("4192");
            assertThat(reader.component()).isEqualTo("default/backend");
            assertThat(reader.sequence()).isEqualTo(FrameLineReader.UNKNOWN);
            assertThat(reader.publishedAtMillis()).isEqualTo(1_782_777_601_250L);
        }
    }

    @Test
    void aBareFrameHasNoWrappingAndForgetsTheLast() {
        readsDynamosExport();

        assertThat(read(FRAME)).isNull();
        assertThat(reader.publisher()).isEmpty();
        assertThat(reader.component()).isEmpty();
        assertThat(reader.sequence()).isEqualTo(FrameLineReader.UNKNOWN);
        assertThat(reader.publishedAtMillis()).isEqualTo(FrameLineReader.UNKNOWN);
    }

    @Test
    void wrappingsOfOtherThingsAreRefused() {
        assertThat(read("{\"metrics\":[]}")).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(read("{\"metrics\":{\"other\":1},\"publisher_id\":1}")).isEqualTo(RejectReason.NOT_FPM);
        assertThat(read("{\"event\":{\"fpm\":null}}")).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(read("{\"publisher_id\":\"p\",\"sequence\":-5,\"metrics\":" + FRAME + "}"))
                .isNull();
        assertThat(reader.sequence()).isEqualTo(FrameLineReader.UNKNOWN);
    }

    private @Nullable RejectReason read(String line) {
        byte[] bytes = line.getBytes(UTF_8);
        return reader.read(bytes, 0, bytes.length, frame);
    }
}
