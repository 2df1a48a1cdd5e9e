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

    /*
     * Counts beyond these cannot come from a working engine. Such a frame is well-formed, so it is shown; but one of
     * them in a window or a fit would outweigh all others, so it is neither learned nor summed.
     */
    private static final long MAX_PLAUSIBLE_REQUESTS = 1L << 20;
    private static final long MAX_PLAUSIBLE_TOKENS = 1L << 36;
    private static final double MAX_PLAUSIBLE_VARIANCE = 1e18;
    private static final double MAX_PLAUSIBLE_WALL_TIME_SECONDS = 3600;

    private String endpoint = "";
    private long publisherId = NO_PUBLISHER;
    private long sequence = NO_SEQUENCE;
    private long receivedNanos;

    private final FrameText workerId = new FrameText();
    private final FrameText timingScope = new FrameText();
    private int version;
    private int dpRank;
    private long counterId;
    private boolean counted;
    private double wallTimeSeconds;
    private long scheduledPrefillRequests;
    private long scheduledPrefillTokens;
    private double scheduledPrefillLengthVariance;
    private long scheduledPrefillKvTokens;
    private long scheduledDecodeRequests;
    private long scheduledDecodeKvTokens;
    private double scheduledDecodeKvVariance;
    private long queuedPrefillRequests;
    private long queuedPrefillTokens;
    private double queuedPrefillLengthVariance;
    private long queuedDecodeRequests;
    private long queuedDecodeKvTokens;
    private double queuedDecodeKvVariance;

    /** Resets the payload to the defaults of the wire: version 1, everything else empty or 0. Arrival stamps stay. */
    public FpmFrame clearPayload() {
        version = 1;
        workerId.clear();
        timingScope.clear();
        dpRank = 0;
        counterId = 0;
        counted = false;
        wallTimeSeconds = 0;
        clearScheduled();
        clearQueued();
        return this;
    }

    void clearScheduled() {
        scheduledPrefill(0, 0, 0, 0).scheduledDecode(0, 0, 0);
    }

    void clearQueued() {
        queuedPrefill(0, 0, 0).queuedDecode(0, 0, 0);
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
        counterId = other.counterId;
        counted = other.counted;
        wallTimeSeconds = other.wallTimeSeconds;
        scheduledPrefill(
                other.scheduledPrefillRequests,
                other.scheduledPrefillTokens,
                other.scheduledPrefillLengthVariance,
                other.scheduledPrefillKvTokens);
        scheduledDecode(other.scheduledDecodeRequests, other.scheduledDecodeKvTokens, other.scheduledDecodeKvVariance);
        queuedPrefill(other.queuedPrefillRequests, other.queuedPrefillTokens, other.queuedPrefillLengthVariance);
        queuedDecode(other.queuedDecodeRequests, other.queuedDecodeKvTokens, other.queuedDecodeKvVariance);
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
        this.counterId = counterId;
        this.counted = true;
        return this;
    }

    /** Sets the time the forward pass took, seconds; 0 in a heartbeat. */
    public FpmFrame wallTimeSeconds(double seconds) {
        this.wallTimeSeconds = seconds;
        return this;
    }

    /** Sets the prefill side of the step, in the order of the wire. */
    public FpmFrame scheduledPrefill(long requests, long tokens, double lengthVariance, long kvTokens) {
        this.scheduledPrefillRequests = requests;
        this.scheduledPrefillTokens = tokens;
        this.scheduledPrefillLengthVariance = lengthVariance;
        this.scheduledPrefillKvTokens = kvTokens;
        return this;
    }

    /** Sets the decode side of the step, in the order of the wire. */
    public FpmFrame scheduledDecode(long requests, long kvTokens, double kvVariance) {
        this.scheduledDecodeRequests = requests;
        this.scheduledDecodeKvTokens = kvTokens;
        this.scheduledDecodeKvVariance = kvVariance;
        return this;
    }

    /** Sets the prompts that wait, in the order of the wire. */
    public FpmFrame queuedPrefill(long requests, long tokens, double lengthVariance) {
        this.queuedPrefillRequests = requests;
        this.queuedPrefillTokens = tokens;
        this.queuedPrefillLengthVariance = lengthVariance;
        return this;
    }

    /** Sets the requests that wait to decode, in the order of the wire. */
    public FpmFrame queuedDecode(long requests, long kvTokens, double kvVariance) {
        this.queuedDecodeRequests = requests;
        this.queuedDecodeKvTokens = kvTokens;
        this.queuedDecodeKvVariance = kvVariance;
        return this;
    }

    /** Puts one decoded count in its place; {@code field} is a constant of {@link FpmFields}. */
    void count(int field, long value) {
        switch (field) {
            case FpmFields.SCHEDULED_PREFILL_REQUESTS -> scheduledPrefillRequests = value;
            case FpmFields.SCHEDULED_PREFILL_TOKENS -> scheduledPrefillTokens = value;
            case FpmFields.SCHEDULED_PREFILL_KV_TOKENS -> scheduledPrefillKvTokens = value;
            case FpmFields.SCHEDULED_DECODE_REQUESTS -> scheduledDecodeRequests = value;
            case FpmFields.SCHEDULED_DECODE_KV_TOKENS -> scheduledDecodeKvTokens = value;
            case FpmFields.QUEUED_PREFILL_REQUESTS -> queuedPrefillRequests = value;
            case FpmFields.QUEUED_PREFILL_TOKENS -> queuedPrefillTokens = value;
            case FpmFields.QUEUED_DECODE_REQUESTS -> queuedDecodeRequests = value;
            case FpmFields.QUEUED_DECODE_KV_TOKENS -> queuedDecodeKvTokens = value;
            case FpmFields.COUNTER_ID -> counterId(value);
            default -> throw new IllegalArgumentException("not a count: " + field);
        }
    }

    /** Puts one decoded real number in its place; {@code field} is a constant of {@link FpmFields}. */
    void real(int field, double value) {
        switch (field) {
            case FpmFields.WALL_TIME -> wallTimeSeconds = value;
            case FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE -> scheduledPrefillLengthVariance = value;
            case FpmFields.SCHEDULED_DECODE_KV_VARIANCE -> scheduledDecodeKvVariance = value;
            case FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE -> queuedPrefillLengthVariance = value;
            case FpmFields.QUEUED_DECODE_KV_VARIANCE -> queuedDecodeKvVariance = value;
            default -> throw new IllegalArgumentException("not a real number: " + field);
        }
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
        return sequence >= 0 ? sequence : counted ? counterId : NO_SEQUENCE;
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
        return counterId;
    }

    public double wallTimeSeconds() {
        return wallTimeSeconds;
    }

    /** Requests with a prefill chunk in this step. */
    public long scheduledPrefillRequests() {
        return scheduledPrefillRequests;
    }

    /** Prompt tokens newly computed in this step, summed. */
    public long scheduledPrefillTokens() {
        return scheduledPrefillTokens;
    }

    /** Population variance of the full prompt lengths, tokens squared; 0 when the engine does not compute it. */
    public double scheduledPrefillLengthVariance() {
        return scheduledPrefillLengthVariance;
    }

    /** Tokens already in the KV cache that the chunks attend to (prefix hits and earlier chunks), summed. */
    public long scheduledPrefillKvTokens() {
        return scheduledPrefillKvTokens;
    }

    /** Requests that decode in this step. */
    public long scheduledDecodeRequests() {
        return scheduledDecodeRequests;
    }

    /** Context lengths of the decoding requests, tokens, summed. */
    public long scheduledDecodeKvTokens() {
        return scheduledDecodeKvTokens;
    }

    /** Population variance of the decoding context lengths, tokens squared. */
    public double scheduledDecodeKvVariance() {
        return scheduledDecodeKvVariance;
    }

    /** Requests waiting for their first chunk. */
    public long queuedPrefillRequests() {
        return queuedPrefillRequests;
    }

    /** Prompt tokens of the waiting requests, summed, cache hits not discounted. */
    public long queuedPrefillTokens() {
        return queuedPrefillTokens;
    }

    /** Population variance of the waiting prompts, tokens squared. */
    public double queuedPrefillLengthVariance() {
        return queuedPrefillLengthVariance;
    }

    /** Requests waiting to decode: preempted, or KV cache in transfer. */
    public long queuedDecodeRequests() {
        return queuedDecodeRequests;
    }

    /** Context lengths of the requests waiting to decode, tokens, summed. */
    public long queuedDecodeKvTokens() {
        return queuedDecodeKvTokens;
    }

    /** Population variance of the contexts waiting to decode, tokens squared. */
    public double queuedDecodeKvVariance() {
        return queuedDecodeKvVariance;
    }

    /** Whether every request and token counter is 0, scheduled and queued. */
    public boolean isAllZero() {
        return (scheduledPrefillRequests
                        | scheduledPrefillTokens
                        | scheduledPrefillKvTokens
                        | scheduledDecodeRequests
                        | scheduledDecodeKvTokens
                        | queuedPrefillRequests
                        | queuedPrefillTokens
                        | queuedDecodeRequests
                        | queuedDecodeKvTokens)
                == 0;
    }

    /**
     * Whether this frame only says "nothing was published for a second". Engines send it also during a long forward
     * pass, so it proves life, not idleness.
     */
    public boolean isHeartbeat() {
        return wallTimeSeconds == 0 && isAllZero();
    }

    /** Whether the forward pass computed something. */
    public boolean hasWork() {
        return (scheduledPrefillRequests | scheduledPrefillTokens | scheduledDecodeRequests) != 0;
    }

    /** Whether a working engine could have sent these values: at most an hour, 2^20 requests and 2^36 tokens a step. */
    public boolean isPlausible() {
        return wallTimeSeconds <= MAX_PLAUSIBLE_WALL_TIME_SECONDS
                && greatestRequests() <= MAX_PLAUSIBLE_REQUESTS
                && greatestTokens() <= MAX_PLAUSIBLE_TOKENS
                && greatestVariance() <= MAX_PLAUSIBLE_VARIANCE;
    }

    private long greatestRequests() {
        return Math.max(
                Math.max(scheduledPrefillRequests, scheduledDecodeRequests),
                Math.max(queuedPrefillRequests, queuedDecodeRequests));
    }

    private long greatestTokens() {
        return Math.max(
                Math.max(scheduledPrefillTokens, Math.max(scheduledPrefillKvTokens, scheduledDecodeKvTokens)),
                Math.max(queuedPrefillTokens, queuedDecodeKvTokens));
    }

    private double greatestVariance() {
        return Math.max(
                Math.max(scheduledPrefillLengthVariance, scheduledDecodeKvVariance),
                Math.max(queuedPrefillLengthVariance, queuedDecodeKvVariance));
    }

    /** Fills the scheduled side into the holder the model reads. */
    public StepWorkload fill(StepWorkload into) {
        return into.prefill(
                        (double) scheduledPrefillRequests,
                        (double) scheduledPrefillTokens,
                        (double) scheduledPrefillKvTokens,
                        scheduledPrefillLengthVariance)
                .decode((double) scheduledDecodeRequests, (double) scheduledDecodeKvTokens, scheduledDecodeKvVariance);
    }

    /** The payload as an immutable value. */
    public FrameView view() {
        return new FrameView(
                version,
                workerId(),
                dpRank,
                counterId,
                timingScope(),
                wallTimeSeconds,
                new FrameView.Scheduled(
                        scheduledPrefillRequests,
                        scheduledPrefillTokens,
                        scheduledPrefillLengthVariance,
                        scheduledPrefillKvTokens,
                        scheduledDecodeRequests,
                        scheduledDecodeKvTokens,
                        scheduledDecodeKvVariance),
                new FrameView.Queued(
                        queuedPrefillRequests,
                        queuedPrefillTokens,
                        queuedPrefillLengthVariance,
                        queuedDecodeRequests,
                        queuedDecodeKvTokens,
                        queuedDecodeKvVariance));
    }
}
