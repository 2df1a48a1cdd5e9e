/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FrameTemplatesTest {
    @Test
    void everyStepIsAFrameOfTheWorkerThatWasSentThen() {
        FrameTemplates templates = new FrameTemplates();
        FpmDecoder decoder = new FpmDecoder();
        FpmFrame frame = new FpmFrame();
        for (long sequence = 0; sequence < FrameTemplates.STEPS + 1; sequence++) {
            ByteBuffer message = ByteBuffer.allocate(templates.longestMessage());
            templates.write(message, FrameTemplates.workerIdBytes(7), sequence, 1_700_000_000_000_000_123L);
            int length = message.position() - FrameTemplates.HEAD_BYTES;
            assertThat(decoder.decode(message.array(), FrameTemplates.HEAD_BYTES, length, frame))
                    .isNull();
            assertThat(frame.workerId()).isEqualTo(FrameTemplates.workerId(7));
            assertThat(frame.counterId()).isEqualTo(1_700_000_000_000_000_123L);
            assertThat(frame.hasWork()).isTrue();
            assertThat(message.getLong(4)).isEqualTo(sequence);
        }
    }
}
