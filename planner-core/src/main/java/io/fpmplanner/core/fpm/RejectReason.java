/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/** Why a message was not accepted as a frame. A rejected message is counted and loses nothing else. */
public enum RejectReason {
    /** No msgpack map or JSON object: a positional array, a string, another protocol. */
    NOT_A_MAP("the payload is not a msgpack map or JSON object"),
    /** A map, but without a single field of ForwardPassMetrics: an envelope or another metric. */
    NOT_FPM("the map holds none of the ForwardPassMetrics fields"),
    /** The payload ends inside a value, or a declared size exceeds what is left. */
    TRUNCATED("the payload ends before its declared content"),
    /** Bytes follow the map. */
    TRAILING_BYTES("bytes follow the end of the map"),
    /** {@code version} is neither 0, 1 nor absent. */
    UNSUPPORTED_VERSION("the version is neither 0 nor 1"),
    /** A float or a bool where an integer belongs, a string for a number, nil in an FPM field, a key that is no string. */
    WRONG_TYPE("a field holds a value of the wrong type"),
    /** A time, count or variance below zero. */
    NEGATIVE("a field holds a negative value"),
    /** NaN or infinity. */
    NOT_FINITE("a field holds NaN or infinity"),
    /** The payload, a string or a number exceeds its cap. Integers of 2^63 and above are refused, never saturated. */
    TOO_LARGE("the payload or one of its values exceeds its cap"),
    /** An unknown field nests deeper than any sane producer would. */
    TOO_DEEP("an unknown field nests too deeply"),
    /** The byte 0xc1, which msgpack never uses. */
    MALFORMED("the payload holds a byte that is not msgpack"),
    /** A text that should be a frame as JSON and is no JSON. */
    NOT_JSON("the text is not JSON"),
    /** A text that should be a payload in base64 and is none. */
    NOT_BASE64("the text is not base64"),
    /** Not the parts this kind of source sends: a raw stream three with an empty topic, the event plane four. */
    BAD_MULTIPART("the message has not the parts this source sends"),
    /** The sequence part is not 8 bytes, or its value is 2^63 or above. */
    BAD_SEQUENCE("the sequence is not 8 bytes big-endian below 2^63"),
    /** An event lacks its publisher, number, topic or payload, or its parts contradict each other. */
    BAD_ENVELOPE("the event lacks publisher_id, sequence, topic or payload, or its parts disagree"),
    /** Where KV telemetry is expected: neither KvMetrics nor LoadStat nor ActiveLoad. */
    NOT_KV("the message is neither KvMetrics nor LoadStat nor ActiveLoad"),
    /** A pickle with an opcode, class or function other than those of KvMetrics. Nothing of it was made. */
    FORBIDDEN_PICKLE("the pickle holds an opcode or a name that a KvMetrics does not need"),

    /** The pool lists its workers and this one is not among them. */
    UNKNOWN_WORKER("the worker is not among those that the pool allows");

    private final String sentence;

    RejectReason(String sentence) {
        this.sentence = sentence;
    }

    /** The reason in words, for logs; starts in lower case and has no full stop. */
    public String sentence() {
        return sentence;
    }
}
