/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

/**
 * How scalers and dashboards are answered.
 *
 * @param undecided what a scaler is told while nothing can be recommended
 * @param externalMetrics the TLS listener for the Kubernetes metrics API
 */
public record InterfaceSettings(Undecided undecided, ExternalMetricsSettings externalMetrics) {
    /** Refusal, and no listener beyond the REST interface's. */
    public static InterfaceSettings defaults() {
        return new InterfaceSettings(Undecided.REFUSE, ExternalMetricsSettings.defaults());
    }

    /** What a scaler is told while nothing can be recommended. */
    public enum Undecided {
        /** An error, so that the scaler keeps what it has or uses its own fallback. */
        REFUSE,
        /** The number that an undecided recommendation holds; an error when there is none. */
        HOLD
    }
}
