/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

/**
 * How the predicted distribution of the time between tokens held against the second that followed each plan. All shares are
 * over tokens.
 *
 * @param plans plans that predicted it
 * @param tokens tokens that came after
 * @param p50Error the factor less 1 by which predicted medians would have to be multiplied to be right; above 0 they are too low
 * @param p90Error likewise of 90th percentiles
 * @param within50 share within the predicted median; right is 0.5
 * @param within90 share within the predicted 90th percentile; right is 0.9
 * @param within99 share within the predicted 99th percentile; right is 0.99
 */
record ItlScore(
        long plans, long tokens, double p50Error, double p90Error, double within50, double within90, double within99) {}
