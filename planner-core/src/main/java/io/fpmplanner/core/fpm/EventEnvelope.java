/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/**
 * One event of Dynamo's event plane: who published it under which number, and where in the received bytes its payload
 * lies. A reusable holder filled by {@link EventEnvelopeDecoder}; the payload is not copied, so it is valid only as long
 * as the decoded buffer is. Not threadsafe.
 *
 * <p>{@link #publisherId} is drawn at random by each publisher and is <b>not</b> a worker id: one engine process may
 * publish under several, and a restarted publisher has a new one. {@link #sequence} counts the events of the publisher,
 * which one publisher shares among all its data-parallel ranks, so its gaps are losses of the publisher, not of a rank;
 * a rank's own losses show in the {@code counter_id} of the payload.
 */
public final class EventEnvelope {
    /** Topic of ForwardPassMetrics events. */
    public static final String FORWARD_PASS_TOPIC = "forward-pass-metrics";

    /** Topic of ActiveLoad events: KV blocks in use. */
    public static final String LOAD_TOPIC = "kv_metrics";

    /** Stands for "not said" in {@link #publishedAtMillis()}. */
    public static final long NO_TIME = -1;

    private final FrameText topic = new FrameText();
    private final FrameText forwardPassTopic = new FrameText();
    private final FrameText loadTopic = new FrameText();
    private long publisherId;
    private long sequence;
    private long publishedAtMillis = NO_TIME;
    private byte[] buffer = {};
    private int payloadOffset;
    private int payloadLength;

    public EventEnvelope() {
        forwardPassTopic.set(FORWARD_PASS_TOPIC);
        loadTopic.set(LOAD_TOPIC);
    }

    void clear(byte[] source) {
        topic.clear();
        publisherId = 0;
        sequence = 0;
        publishedAtMillis = NO_TIME;
        buffer = source;
        payloadOffset = 0;
        payloadLength = 0;
    }

    void topic(int offset, int length) {
        topic.set(buffer, offset, length);
    }

    void publisherId(long id) {
        publisherId = id;
    }

    void sequence(long number) {
        sequence = number;
    }

    void publishedAtMillis(long millis) {
        publishedAtMillis = millis;
    }

    void payload(int offset, int length) {
        payloadOffset = offset;
        payloadLength = length;
    }

    /** The publisher's random number, 0 to 2^63 - 1 (Dynamo draws 53 bits). */
    public long publisherId() {
        return publisherId;
    }

    /** Number of the event among the publisher's, from 0. */
    public long sequence() {
        return sequence;
    }

    /** When it was published, milliseconds since the Unix epoch on the publisher's clock, or {@link #NO_TIME}. */
    public long publishedAtMillis() {
        return publishedAtMillis;
    }

    /** What the event is about, e.g. {@value #FORWARD_PASS_TOPIC}; made once for each run of equal topics. */
    public String topic() {
        return topic.toString();
    }

    /** Whether the payload is a ForwardPassMetrics record. Allocates nothing. */
    public boolean carriesForwardPass() {
        return topic.sameBytes(forwardPassTopic);
    }

    /** Whether the payload is an ActiveLoad record. Allocates nothing. */
    public boolean carriesLoad() {
        return topic.sameBytes(loadTopic);
    }

    /** The bytes that were decoded, not a copy. */
    public byte[] buffer() {
        return buffer;
    }

    /** Where the payload starts in {@link #buffer()}. */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** Bytes of the payload, &ge; 0. */
    public int payloadLength() {
        return payloadLength;
    }
}
