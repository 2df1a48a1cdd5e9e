/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;

/**
 * One of the costs a step is made of, a column of the fit.
 *
 * @param label name for people
 * @param unit unit of its coefficient
 * @param scale the raw quantity is divided by this, so that every column is of order one
 */
record Feature(String label, String unit, double scale) {
    static final int STEP = 0;
    static final int PREFILL_STEP = 1;
    static final int EAGER_STEP = 2;
    static final int PREFILL_TOKENS = 3;
    static final int TOKENS_TO_64 = 4;
    static final int TOKENS_TO_256 = 5;
    static final int TOKENS_FROM_256 = 6;
    static final int PREFILL_KV_TOKENS = 7;
    static final int PREFILL_SELF_ATTENTION = 8;
    static final int PREFILL_CROSS_ATTENTION = 9;
    static final int DECODE_REQUESTS = 10;
    static final int DECODE_KV_TOKENS = 11;
    static final int DECODE_KV_SPREAD = 12;
    static final int PREFILL_REQUESTS = 13;
    static final int MIXED_DECODE_KV_TOKENS = 14;
    static final int LOG_TOKENS = 15;

    /** All features; the position is the column. */
    static final List<Feature> ALL = List.of(
            new Feature("step", "s", 1),
            new Feature("prefill step", "s", 1),
            new Feature("eager prefill step", "s", 1),
            new Feature("prefill tokens", "s/token", 1e3),
            new Feature("scheduled tokens up to 64", "s/token", 64),
            new Feature("scheduled tokens up to 256", "s/token", 256),
            new Feature("scheduled tokens beyond 256", "s/token", 1e3),
            new Feature("cached tokens of prefill", "s/token", 1e4),
            new Feature("squares of prompts, summed", "s/token^2", 1e7),
            new Feature("prefill tokens times cached tokens per request", "s/token^2", 1e7),
            new Feature("decode requests", "s/request", 1e2),
            new Feature("context tokens of decode", "s/token", 1e5),
            new Feature("decode requests times deviation of their contexts", "s/token", 1e5),
            new Feature("prefill requests", "s/request", 10),
            new Feature("context tokens of decode beside prefill", "s/token", 1e5),
            new Feature("log2 of scheduled tokens", "s/doubling", 8));

    static final int COUNT = ALL.size();
}
