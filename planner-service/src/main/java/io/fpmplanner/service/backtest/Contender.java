/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

/** Who is compared: this planner's learner, and what others use. */
enum Contender {
    FPM_PLANNER("fpm-planner", "this planner"),
    LAST_VALUE("last-value", "last step of the regime"),
    DYNAMO_OLS("dynamo-ols", "Dynamo's OLS, one fit"),
    DYNAMO_OLS_SPLIT("dynamo-ols-split", "Dynamo's OLS, a fit a regime"),
    DYNAMO_NNLS("dynamo-nnls", "Dynamo's NNLS on attention work and tokens"),
    DYNAMO_NNLS_SPLIT("dynamo-nnls-split", "Dynamo's earlier NNLS, a hinge for prefills");

    private final String id;
    private final String title;

    Contender(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /** Name in JSON and tables. */
    String id() {
        return id;
    }

    /** What it is, in a few words. */
    String title() {
        return title;
    }

    boolean isBaseline() {
        return this != FPM_PLANNER;
    }

    /** A new one that knows nothing. */
    StepLearner create() {
        return switch (this) {
            case FPM_PLANNER -> new FpmPlannerLearner();
            case LAST_VALUE -> new LastValue();
            case DYNAMO_OLS -> new AggregatedOls();
            case DYNAMO_OLS_SPLIT -> SplitRegression.ols();
            case DYNAMO_NNLS -> new AggregatedNnls();
            case DYNAMO_NNLS_SPLIT -> SplitRegression.nnls();
        };
    }
}
