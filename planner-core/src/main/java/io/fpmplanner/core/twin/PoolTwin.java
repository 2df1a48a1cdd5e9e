/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.EngineTwin;
import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.latency.TimeHistogram;
import io.fpmplanner.core.latency.TwinListener;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.models.StepRegime;
import java.util.Arrays;
import java.util.Optional;

/** One pool of the twin: a few of its ranks under their share of the traffic. One use, one thread. */
final class PoolTwin implements TwinListener {
    /*
     * Ranks are exchangeable. Behind random routing one rank sees Poisson traffic whatever the others do, and stands for
     * all; in turn, it sees every n-th arrival. Behind a load-aware router ranks depend on each other, but hardly more on
     * 20 than on MOST_RANKS (the more, the nearer the mean-field limit: Mitzenmacher 2001).
     *
     * Engines start with as many running requests as Little's law says, at a random point of each, because a fleet
     * that starts empty takes a request's life to fill. The first WARM_UP of the arrivals are not counted, nor what
     * happens after the last arrival.
     *
     * Whether queues grow for ever cannot be seen in so short a run: near the edge they do as much by chance. So arrivals are
     * held against what a rank completes when requests never run out, known to a percent (SaturatedRun). Far from the
     * edge the formula tells as well.
     */
    private static final int MOST_RANKS = 8;
    private static final double WARM_UP = 0.2;
    private static final double FAR_FROM_EDGE = 0.5;
    private static final double SUSTAINED = 0.99;
    private static final double USUAL = 0.95;

    private final TwinPool pool;
    private final WhatIf question;
    private final int replicas;
    private final RequestSample sample;
    private final PoolRequests requests;
    private final StepSampler steps;
    private final EngineTwin[] ranks;
    private final double groupRate;
    private final TimeHistogram plainGaps = new TimeHistogram();
    private final TimeHistogram otherGaps = new TimeHistogram();
    private final SaturatedCapacity capacity;
    private final double saturated;

    /** By request, seconds; NaN while unknown. */
    final double[] arrival;

    final double[] firstToken;
    final double[] finish;
    private boolean counting;
    private boolean stable = true;
    private double countedSeconds;
    private double latestSeconds = Double.POSITIVE_INFINITY;
    private double slowestSeconds = Double.POSITIVE_INFINITY;
    private int missesLeft = Integer.MAX_VALUE;

    PoolTwin(TwinPool pool, WhatIf question, int replicas, Samples samples) {
        this.pool = pool;
        this.question = question;
        this.replicas = replicas;
        this.sample = samples.of(pool, question, replicas);
        this.requests = new PoolRequests(pool, sample, question.workload());
        this.steps = new StepSampler(pool.model(), pool.gapSeconds(), sample.seed);
        int all = replicas * pool.ranksPerReplica();
        int group = question.routing() == Routing.LEAST_LOADED ? Math.min(all, MOST_RANKS) : 1;
        this.ranks = new EngineTwin[group];
        for (int i = 0; i < group; i++) {
            ranks[i] = new EngineTwin(pool.role(), pool.limits(), question.transferSeconds(), steps, this);
        }
        this.groupRate = question.workload().requestsPerSecond() * group / all;
        this.capacity = new SaturatedCapacity(pool, steps, question.workload());
        double formula = capacity.requestsPerSecond();
        this.saturated = groupRate < FAR_FROM_EDGE * formula * group ? formula : samples.saturated(pool, question);
        this.arrival = new double[sample.count];
        this.firstToken = new double[sample.count];
        this.finish = new double[sample.count];
        Arrays.fill(firstToken, Double.NaN);
        Arrays.fill(finish, Double.NaN);
    }

    /** Variation of the arrivals at the simulated ranks. */
    static double arrivalVariation(WhatIf question, int replicas, int ranksPerReplica) {
        double variation = question.workload().burstiness();
        int all = replicas * ranksPerReplica;
        double kept = (double) Math.min(all, MOST_RANKS) / all;
        return switch (question.routing()) {
            case ROUND_ROBIN -> variation / Math.sqrt(all);
            case RANDOM -> Math.sqrt(1 + (variation * variation - 1) / all);
            case LEAST_LOADED -> Math.sqrt(1 + (variation * variation - 1) * kept);
        };
    }

    /** Lets a run end, as not stable, once a larger share of the requests than that has missed an objective. */
    void giveUpAfter(SloTarget slo, double share) {
        latestSeconds = slo.ttftSeconds();
        slowestSeconds = slo.itlSeconds();
        missesLeft = (int) (share * (sample.count - firstCounted()));
    }

    void run() {
        requests.fill(ranks, pool.role() == Role.PREFILL ? 0 : usualBatch(), steps);
        steps.restart();
        int warm = (int) (WARM_UP * sample.count);
        double now = 0;
        double countedFrom = 0;
        for (int i = 0; i < sample.count && missesLeft >= 0; i++) {
            now += sample.gaps[i] / groupRate;
            for (EngineTwin rank : ranks) {
                rank.advanceTo(now);
            }
            if (i == warm) {
                counting = true;
                countedFrom = now;
                for (EngineTwin rank : ranks) {
                    rank.totals().reset();
                }
            }
            arrival[i] = now;
            submit(i);
        }
        counting = false;
        countedSeconds = now - countedFrom;
        stable = missesLeft >= 0 && groupRate < SUSTAINED * saturated * ranks.length;
        if (stable) {
            for (EngineTwin rank : ranks) {
                rank.advanceTo(Double.MAX_VALUE);
            }
        }
    }

    private void submit(int i) {
        EngineTwin rank = ranks[0];
        int offset = i % ranks.length;
        for (int k = 0; k < ranks.length; k++) {
            EngineTwin candidate = ranks[(k + offset) % ranks.length];
            rank = k == 0 || candidate.inside() < rank.inside() ? candidate : rank;
        }
        requests.submit(rank, i);
    }

    /** The batch at which as many requests finish as arrive. */
    private double usualBatch() {
        double life = Math.max(1, question.workload().outputTokens().mean() - 1);
        double rate = groupRate / ranks.length;
        double low = 0;
        double high = capacity.largestBatch();
        for (int i = 0; i < 20; i++) {
            double middle = (low + high) / 2;
            boolean more = rate * life * capacity.secondsPerToken(Math.max(1, middle)) > middle;
            low = more ? middle : low;
            high = more ? high : middle;
        }
        return low;
    }

    @Override
    public void onFirstToken(int request, double atSeconds) {
        if (request >= 0 && Double.isNaN(firstToken[request])) {
            firstToken[request] = atSeconds;
            missesLeft -= counts(request) && atSeconds - arrival[request] > latestSeconds ? 1 : 0;
        }
    }

    @Override
    public void onFinished(int request, double atSeconds) {
        if (request >= 0 && counting) {
            finish[request] = atSeconds;
            boolean late = ttftSeconds(request) > latestSeconds;
            missesLeft -= counts(request) && !late && itlSeconds(request) > slowestSeconds ? 1 : 0;
        }
    }

    private boolean counts(int request) {
        return counting && request >= firstCounted();
    }

    @Override
    public void onGap(double seconds, double tokens, StepRegime regime) {
        if (counting) {
            (regime == StepRegime.DECODE ? plainGaps : otherGaps).add(seconds, tokens);
        }
    }

    boolean isStable() {
        return stable;
    }

    StepSampler steps() {
        return steps;
    }

    /** First of the requests whose TTFT counts. */
    int firstCounted() {
        return (int) (WARM_UP * sample.count);
    }

    double ttftSeconds(int request) {
        return firstToken[request] - arrival[request];
    }

    /** Whether a request comes to this pool: to one that decodes, with an answer of more than one token. */
    boolean comes(int request) {
        return pool.role() != Role.DECODE || sample.output[request] > 1;
    }

    /** How many times between tokens a request has here. */
    double tokenGaps(int request) {
        return pool.role() == Role.PREFILL ? 0 : sample.output[request] - (pool.role() == Role.DECODE ? 2 : 1);
    }

    /** Whether this pool generates tokens. */
    boolean decodes() {
        return pool.role() != Role.PREFILL;
    }

    /** Mean time between the tokens of a request that finished while it counted; NaN for others. */
    double itlSeconds(int request) {
        double gaps = tokenGaps(request);
        return gaps < 1 ? Double.NaN : (finish[request] - firstToken[request]) / gaps;
    }

    /** Distribution of the time between tokens, with the noise of decode-only steps that the simulation left out. */
    TimeHistogram gaps() {
        TimeHistogram all = plainGaps.times(steps, StepRegime.DECODE);
        all.addAll(otherGaps);
        return all;
    }

    WhatIfAnswer.PoolAnswer answer() {
        double busy = 0;
        double batch = 0;
        double queue = 0;
        double kv = 0;
        for (EngineTwin rank : ranks) {
            busy += rank.totals().busySeconds();
            batch += rank.totals().batchSeconds();
            queue += rank.totals().queueSeconds();
            kv += rank.totals().kvSeconds();
        }
        double time = countedSeconds * ranks.length;
        double saturated = this.saturated * replicas * pool.ranksPerReplica();
        return new WhatIfAnswer.PoolAnswer(
                pool.role(),
                replicas,
                question.workload().requestsPerSecond() / saturated,
                saturated,
                Math.min(1, busy / time),
                batch / time,
                queue / time,
                kv / time,
                stable ? Percentiles.of(this) : Optional.empty());
    }

    /** How far the usual largest batch lies beyond what was seen: of decodes, in a PREFILL pool of prompt tokens. */
    double extrapolation() {
        return beyond(pool.role() == Role.PREFILL);
    }

    /** Whether anything of the usual largest step lies beyond what was seen. */
    boolean isBeyondSeen() {
        return beyond(pool.role() != Role.DECODE) > 1;
    }

    private double beyond(boolean withPrefill) {
        double batch = 0;
        double kvPerRequest = 0;
        double prefill = 0;
        for (EngineTwin rank : ranks) {
            batch = Math.max(batch, rank.totals().batchQuantile(USUAL));
            prefill = Math.max(prefill, rank.totals().prefillTokensQuantile(USUAL));
            kvPerRequest +=
                    rank.totals().kvSeconds() / Math.max(1e-9, rank.totals().batchSeconds()) / ranks.length;
        }
        boolean decodes = pool.role() != Role.PREFILL;
        return steps.extrapolation(withPrefill ? prefill : 0, decodes ? batch : 0, decodes ? batch * kvPerRequest : 0);
    }
}
