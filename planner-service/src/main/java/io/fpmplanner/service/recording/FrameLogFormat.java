/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The frame log: what was received, byte by byte, with when, where from and under which number. All integers are
 * big-endian.
 *
 * <pre>
 * header   89 'F' 'P' 'M' 'L' 'O' 'G' 0A | version u32 = 1
 * record   F7 | length u32 of the body | CRC-32C u32 of length and body | body
 * body     01 | started i64, nanoseconds since the epoch            a session: ids of endpoints begin anew
 *          02 | id u32 | publisher i64 or -1 | UTF-8 text           an endpoint, before its first message
 *          03 | received i64 ns | sequence i64 or -1 | id u32 | payload   a message, accepted as a frame or not
 * </pre>
 *
 * Records of other kinds are skipped, so that later versions may add some. The file is only ever appended to: a crash costs
 * the last record at most, and a damaged place is left at the next mark whose checksum holds.
 */
final class FrameLogFormat {
    static final byte[] MAGIC = magic();
    static final int FIRST_BYTE = 0x89;
    static final int VERSION = 1;
    static final int HEADER_BYTES = 12;

    static final byte MARK = (byte) 0xf7;
    static final int HEAD_BYTES = 1 + Integer.BYTES + Integer.BYTES;
    static final byte SESSION = 1;
    static final byte ENDPOINT = 2;
    static final byte MESSAGE = 3;
    static final int ENDPOINT_HEAD_BYTES = 1 + Integer.BYTES + Long.BYTES;
    static final int MESSAGE_HEAD_BYTES = 1 + Long.BYTES + Long.BYTES + Integer.BYTES;

    /** A message part above the largest that any source lets through cannot be. */
    static final int MAX_BODY_BYTES = 1 << 20;

    private FrameLogFormat() {}

    /** The checksum of a record: over the length and the body. */
    static int checksum(CRC32C crc, byte[] bytes, int lengthOffset, int bodyOffset, int bodyLength) {
        crc.reset();
        crc.update(bytes, lengthOffset, Integer.BYTES);
        crc.update(bytes, bodyOffset, bodyLength);
        return (int) crc.getValue();
    }

    private static byte[] magic() {
        byte[] magic = "?FPMLOG\n".getBytes(StandardCharsets.US_ASCII);
        magic[0] = (byte) FIRST_BYTE;
        return magic;
    }
}
