/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.core.kv.KvDecoding;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Reads what SGLang says of its KV cache and load: KvMetrics pushed in one part, LoadStat published in three. Pickles are
 * read by the allow-list of {@link KvDecoder} and never run.
 */
final class KvReader implements MessageReader {
    private final FrameIntake intake;
    /** Port of rank 0, where the port tells the rank. */
    private final OptionalInt firstPort;

    private final KvDecoder decoder = new KvDecoder();

    private KvReader(FrameIntake intake, OptionalInt firstPort) {
        this.intake = intake;
        this.firstPort = firstPort;
    }

    /** Of a publisher, whose port tells the rank unless its messages do. */
    static KvReader published(FrameIntake intake, int firstPort) {
        return new KvReader(intake, OptionalInt.of(firstPort));
    }

    /** Of a peer that pushes. */
    static KvReader pushed(FrameIntake intake) {
        return new KvReader(intake, OptionalInt.empty());
    }

    @Override
    public void read(EndpointLedger from, ZmtpMessage message) {
        int last = message.parts() - 1;
        KvDecoding decoding = message.parts() == 1 && firstPort.isEmpty()
                ? decoder.decodePushed(message.buffer(), message.offset(0), message.length(0))
                : decoder.decodePublished(parts(message));
        if (firstPort.isPresent()) {
            decoding = decoding.withRankUnlessSaid(port(from.endpoint()) - firstPort.getAsInt());
        }
        intake.report(from, from.endpoint(), decoding, message.buffer(), message.offset(last), message.length(last));
    }

    private static List<byte[]> parts(ZmtpMessage message) {
        List<byte[]> parts = new ArrayList<>(message.parts());
        for (int i = 0; i < message.parts(); i++) {
            parts.add(message.copy(i));
        }
        return parts;
    }

    private static int port(String endpoint) {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }
}
