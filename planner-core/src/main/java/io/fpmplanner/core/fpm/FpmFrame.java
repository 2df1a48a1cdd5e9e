/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import io.fpmplanner.models.StepWorkload;

/**
 * One ForwardPassMetrics record with the stamps of its arrival: a reusable holder of primitives, filled by {@link
 * FpmDecoder} or by the setters, read by the pool within the call and then overwritten. Not threadsafe.
 *
 * <p>Counts are &ge; 0, times in seconds &ge; 0 and finite, variances in tokens squared &ge; 0 and finite. The decoder
 * guarantees that; whoever uses the setters must.
 */
public final class FpmFrame {
    /** Stands for "no sequence number" in {@link #sequence()}. */
    public static final long NO_SEQUENCE = -1;

    /** Stands for "came directly from the engine" in {@link #publisherId()}. */
    public static final long NO_PUBLISHER = -1;

    private String endpoint = "";
    private long publisherId = NO_PUBLISHER;
    private long sequence = NO_SEQUENCE;
    private long receivedNanos;

    private final FrameText workerId = new FrameText();
    private final FrameText timingScope = new FrameText();
    private int version;
    private int dpRank;
    private final FrameNumbers numbers = new FrameNumbers();

    /** Resets the payload to the defaults of the wire: version 1, everything else empty or 0. Arrival stamps stay. */
    public FpmFrame clearPayload() {
        version = 1;
        workerId.clear();
        timingScope.clear();
        dpRank = 0;
        numbers.clear();
        return this;
    }

    /** Marks all variances as unknown, for an engine that does not compute them and writes 0 in their place. */
    public FpmFrame clearVariances() {
        numbers.clearVariances();
        return this;
    }

    /** Forgets the engine's own number of the frame, for an engine that does not count. */
    public FpmFrame clearCounter() {
        numbers.forgetCount(FpmFields.COUNTER_ID);
        return this;
    }

    /** Copies payload and stamps of another frame; allocates only when a longer text than before must be held. */
    public FpmFrame set(FpmFrame other) {
        endpoint = other.endpoint;
        publisherId = other.publisherId;
        sequence = other.sequence;
        receivedNanos = other.receivedNanos;
        workerId.set(other.workerId);
        timingScope.set(other.timingScope);
        version = other.version;
        dpRank = other.dpRank;
        numbers.set(other.numbers);
        return this;
    }

    /**
     * Stamps the arrival of a frame that came directly from its engine.
     *
     * @param endpoint where it came from, e.g. {@code tcp://10.0.0.7:20381}
     * @param sequence number of the message on its socket, or {@link #NO_SEQUENCE}
     * @param receivedNanos nanoseconds since the Unix epoch on the caller's clock
     */
    public FpmFrame arrival(String endpoint, long sequence, long receivedNanos) {
        this.endpoint = endpoint;
        this.publisherId = NO_PUBLISHER;
        this.sequence = sequence;
        this.receivedNanos = receivedNanos;
        return this;
    }

    /**
     * Stamps the publisher of an event plane that passed the frame on, after {@link #arrival}. Part of the identity of
     * a rank, apart from the worker id: a broker's events all come from one endpoint.
     *
     * @param publisherId &ge; 0, or {@link #NO_PUBLISHER}
     */
    public FpmFrame publisherId(long publisherId) {
        this.publisherId = publisherId;
        return this;
    }

    /** Stamps the number of the message on its socket, or {@link #NO_SEQUENCE}. */
    public FpmFrame sequence(long sequence) {
        this.sequence = sequence;
        return this;
    }

    /** Sets the version of the payload's schema; 0 and 1 are known. */
    public FpmFrame version(int version) {
        this.version = version;
        return this;
    }

    /** Sets the worker's identity as raw bytes; it is keyed by them, whether they are UTF-8 or not. */
    public FpmFrame workerId(byte[] bytes, int offset, int length) {
        workerId.set(bytes, offset, length);
        return this;
    }

    /** Sets the worker's identity. */
    public FpmFrame workerId(String id) {
        workerId.set(id);
        return this;
    }

    /** Sets what the wall time spans, as vLLM names it, e.g. {@code model_step_cuda}; empty when not said. */
    public FpmFrame timingScope(String scope) {
        timingScope.set(scope);
        return this;
    }

    /** The worker's identity, for the decoder. */
    FrameText workerIdText() {
        return workerId;
    }

    /** What the wall time spans, for the decoder. */
    FrameText timingScopeText() {
        return timingScope;
    }

    void timingScope(byte[] bytes, int offset, int length) {
        timingScope.set(bytes, offset, length);
    }

    /** Sets the data-parallel rank, &ge; 0. */
    public FpmFrame dpRank(int dpRank) {
        this.dpRank = dpRank;
        return this;
    }

    /** Sets the producer's own count of messages, &ge; 0. */
    public FpmFrame counterId(long counterId) {
        numbers.count(FpmFields.COUNTER_ID, counterId);
        return this;
    }

    /** Sets the time the forward pass took, seconds; 0 in a heartbeat. */
    public FpmFrame wallTimeSeconds(double seconds) {
        numbers.real(FpmFields.WALL_TIME, seconds);
        return this;
    }

    /** Sets the prefill side of the step, in the order of the wire. */
    public FpmFrame scheduledPrefill(long requests, long tokens, double lengthVariance, long kvTokens) {
        numbers.count(FpmFields.SCHEDULED_PREFILL_REQUESTS, requests);
        numbers.count(FpmFields.SCHEDULED_PREFILL_TOKENS, tokens);
        numbers.real(FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE, lengthVariance);
        numbers.count(FpmFields.SCHEDULED_PREFILL_KV_TOKENS, kvTokens);
        return this;
    }

    /** Sets the decode side of the step, in the order of the wire. */
    public FpmFrame scheduledDecode(long requests, long kvTokens, double kvVariance) {
        numbers.count(FpmFields.SCHEDULED_DECODE_REQUESTS, requests);
        numbers.count(FpmFields.SCHEDULED_DECODE_KV_TOKENS, kvTokens);
        numbers.real(FpmFields.SCHEDULED_DECODE_KV_VARIANCE, kvVariance);
        return this;
    }

    /** Sets the prompts that wait, in the order of the wire. */
    public FpmFrame queuedPrefill(long requests, long tokens, double lengthVariance) {
        numbers.count(FpmFields.QUEUED_PREFILL_REQUESTS, requests);
        numbers.count(FpmFields.QUEUED_PREFILL_TOKENS, tokens);
        numbers.real(FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE, lengthVariance);
        return this;
    }

    /** Sets the requests that wait to decode, in the order of the wire. */
    public FpmFrame queuedDecode(long requests, long kvTokens, double kvVariance) {
        numbers.count(FpmFields.QUEUED_DECODE_REQUESTS, requests);
        numbers.count(FpmFields.QUEUED_DECODE_KV_TOKENS, kvTokens);
        numbers.real(FpmFields.QUEUED_DECODE_KV_VARIANCE, kvVariance);
        return this;
    }

    /** The numbers by their places, for the decoder. */
    FrameNumbers numbers() {
        return numbers;
    }

    public String endpoint() {
        return endpoint;
    }

    /** The publisher that passed the frame on, or {@link #NO_PUBLISHER}. */
    public long publisherId() {
        return publisherId;
    }

    public long sequence() {
        return sequence;
    }

    /** The number that tells loss and restart: the socket's, else the producer's own, else {@link #NO_SEQUENCE}. */
    public long streamPosition() {
        return sequence >= 0 ? sequence : numbers.saysCount(FpmFields.COUNTER_ID) ? counterId() : NO_SEQUENCE;
    }

    public long receivedNanos() {
        return receivedNanos;
    }

    public int version() {
        return version;
    }

    /** The worker's identity for people; bytes that are not UTF-8 are shown as U+FFFD. */
    public String workerId() {
        return workerId.toString();
    }

    /** A hash of the worker's identity bytes. */
    public int workerIdHash() {
        return workerId.contentHash();
    }

    /** Whether two frames carry the same worker identity, byte by byte. */
    public boolean sameWorker(FpmFrame other) {
        return workerId.sameBytes(other.workerId);
    }

    public String timingScope() {
        return timingScope.toString();
    }

    public int dpRank() {
        return dpRank;
    }

    public long counterId() {
        return numbers.count(FpmFields.COUNTER_ID);
    }

    public double wallTimeSeconds() {
        return numbers.real(FpmFields.WALL_TIME);
    }

    /** Requests with a prefill chunk in this step. */
    public long scheduledPrefillRequests() {
        return numbers.count(FpmFields.SCHEDULED_PREFILL_REQUESTS);
    }

    /** Prompt tokens newly computed in this step, summed. */
    public long scheduledPrefillTokens() {
        return numbers.count(FpmFields.SCHEDULED_PREFILL_TOKENS);
    }

    /** Population variance of the full prompt lengths, tokens squared; 0 when not known. */
    public double scheduledPrefillLengthVariance() {
        return numbers.real(FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE);
    }

    /** Tokens already in the KV cache that the chunks attend to (prefix hits and earlier chunks), summed. */
    public long scheduledPrefillKvTokens() {
        return numbers.count(FpmFields.SCHEDULED_PREFILL_KV_TOKENS);
    }

    /** Requests that decode in this step. */
    public long scheduledDecodeRequests() {
        return numbers.count(FpmFields.SCHEDULED_DECODE_REQUESTS);
    }

    /** Context lengths of the decoding requests, tokens, summed. */
    public long scheduledDecodeKvTokens() {
        return numbers.count(FpmFields.SCHEDULED_DECODE_KV_TOKENS);
    }

    /** Population variance of the decoding context lengths, tokens squared; 0 when not known. */
    public double scheduledDecodeKvVariance() {
        return numbers.real(FpmFields.SCHEDULED_DECODE_KV_VARIANCE);
    }

    /** Requests waiting for their first chunk. */
    public long queuedPrefillRequests() {
        return numbers.count(FpmFields.QUEUED_PREFILL_REQUESTS);
    }

    /** Prompt tokens of the waiting requests, summed, cache hits not discounted. */
    public long queuedPrefillTokens() {
        return numbers.count(FpmFields.QUEUED_PREFILL_TOKENS);
    }

    /** Population variance of the waiting prompts, tokens squared; 0 when not known. */
    public double queuedPrefillLengthVariance() {
        return numbers.real(FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE);
    }

    /** Requests waiting to decode: preempted, or KV cache in transfer. */
    public long queuedDecodeRequests() {
        return numbers.count(FpmFields.QUEUED_DECODE_REQUESTS);
    }

    /** Context lengths of the requests waiting to decode, tokens, summed. */
    public long queuedDecodeKvTokens() {
        return numbers.count(FpmFields.QUEUED_DECODE_KV_TOKENS);
    }

    /** Population variance of the contexts waiting to decode, tokens squared; 0 when not known. */
    public double queuedDecodeKvVariance() {
        return numbers.real(FpmFields.QUEUED_DECODE_KV_VARIANCE);
    }

    /** Whether every request and token counter is 0, scheduled and queued. */
    public boolean isAllZero() {
        return numbers.isAllZero();
    }

    /**
     * Whether this frame only says "nothing was published for a second". Engines send it also during a long forward
     * pass, so it proves life, not idleness.
     */
    public boolean isHeartbeat() {
        return wallTimeSeconds() == 0 && isAllZero();
    }

    /** Whether the forward pass computed something. */
    public boolean hasWork() {
        return (scheduledPrefillRequests() | scheduledPrefillTokens() | scheduledDecodeRequests()) != 0;
    }

    /** Whether a working engine could have sent these values: at most an hour, 2^20 requests and 2^36 tokens a step. */
    public boolean isPlausible() {
        return numbers.isPlausible();
    }

    /** Fills the scheduled side into the holder the model reads; a variance that is not known is 0 there. */
    public StepWorkload fill(StepWorkload into) {
        return into.prefill(
                        (double) scheduledPrefillRequests(),
                        (double) scheduledPrefillTokens(),
                        (double) scheduledPrefillKvTokens(),
                        scheduledPrefillLengthVariance())
                .decode(
                        (double) scheduledDecodeRequests(),
                        (double) scheduledDecodeKvTokens(),
                        scheduledDecodeKvVariance());
    }

    /** The payload as an immutable value. */
    public FrameView view() {
        return FrameView.of(this);
    }
}
