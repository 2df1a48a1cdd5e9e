/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

/** A short way of reading payloads, held against the reading by name. */
final class AgainstByName {
    /** One that leaves to the reading by name whatever is not of its form. */
    interface ShortWay {
        boolean read(byte[] buffer, int offset, int length, FpmFrame into);
    }

    private final ShortWay shortWay;
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame fast = new FpmFrame();
    private final FpmFrame byName = new FpmFrame();

    AgainstByName(ShortWay shortWay) {
        this.shortWay = shortWay;
    }

    boolean reads(byte[] payload) {
        return reads(payload, 0, payload.length);
    }

    boolean reads(byte[] buffer, int offset, int length) {
        // Text of the frame before must not shine through.
        fast.timingScope("before").workerId("before");
        return shortWay.read(buffer, offset, length, fast);
    }

    void assertReads(byte[] payload) {
        assertReads(payload, 0, payload.length);
    }

    /** That the short way takes it, and tells the same as the long one. */
    void assertReads(byte[] buffer, int offset, int length) {
        assertThat(reads(buffer, offset, length)).isTrue();
        assertSame(buffer, offset, length);
    }

    /** That the decoder takes or refuses it as the reading by name does; returns whether the short way took it. */
    boolean assertAlike(byte[] payload) {
        boolean taken = reads(payload);
        RejectReason reason = taken ? null : decoder.decode(payload, 0, payload.length, fast);
        if (reason == null) {
            assertSame(payload, 0, payload.length);
        } else {
            assertThat(decoder.decodeByName(payload, 0, payload.length, byName)).isEqualTo(reason);
        }
        return taken;
    }

    private void assertSame(byte[] buffer, int offset, int length) {
        byName.timingScope("after").workerId("after");
        assertThat(decoder.decodeByName(buffer, offset, length, byName)).isNull();
        assertThat(fast.view()).isEqualTo(byName.view());
        assertThat(fast.sameWorker(byName)).isTrue();
        assertThat(fast.workerIdHash()).isEqualTo(byName.workerIdHash());
        assertThat(fast.streamPosition()).isEqualTo(byName.streamPosition());
    }

    /** The payload with itself behind it. */
    static byte[] twice(byte[] payload) {
        byte[] twice = new byte[2 * payload.length];
        System.arraycopy(payload, 0, twice, 0, payload.length);
        System.arraycopy(payload, 0, twice, payload.length, payload.length);
        return twice;
    }
}
