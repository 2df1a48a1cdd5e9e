/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.scaling.Outlook.Option;
import java.util.Locale;

/** Says why one size lost to another. */
final class Comparison {
    private static final double SAME_SHARE = 0.0005;

    private Comparison() {}

    /** Of the size that was chosen, where something else than a comparison keeps it from being recommended. */
    static String keptBack(Option chosen) {
        return chosen.replicas() + " is what the demand calls for; the message says what keeps it back.";
    }

    /** @param refused whether the loser was left out since it misses the objectives in steady state */
    static String whyNot(Option loser, Option winner, PoolSettings settings, boolean refused) {
        double share = loser.attainment().orElse(1) - winner.attainment().orElse(1);
        double seconds = loser.replicaSeconds() - winner.replicaSeconds();
        String cost =
                String.format(Locale.ROOT, "%.0f replica-seconds %s", Math.abs(seconds), seconds < 0 ? "less" : "more");
        if (refused) {
            boolean forNow = loser.attainment().orElse(0) >= settings.slo().attainment();
            return String.format(
                    Locale.ROOT,
                    forNow
                            ? "%d would cost %s and may do for the next minutes, but in the long run this demand is more than it can serve within the objectives for %.1f %% of requests."
                            : "%d would cost %s, but cannot hold the objectives for %.1f %% of requests.",
                    loser.replicas(),
                    cost,
                    100 * settings.slo().attainment());
        }
        if (Math.abs(share) < SAME_SHARE) {
            return String.format(
                    Locale.ROOT,
                    seconds > 0
                            ? "%d would cost %s and serve no more requests within the objectives."
                            : "%d would cost %s, too little to be worth a change.",
                    loser.replicas(),
                    cost);
        }
        return String.format(
                Locale.ROOT,
                share < 0
                        ? "%d would cost %s, but %.1f %% of requests would meet the objectives instead of %.1f %%."
                        : "%d would cost %s, too much for %.1f %% of requests within the objectives instead of %.1f %%.",
                loser.replicas(),
                cost,
                100 * loser.attainment().orElse(1),
                100 * winner.attainment().orElse(1));
    }
}
