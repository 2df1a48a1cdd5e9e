/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.models.StepRegime;

/** Told what happens in an {@link EngineTwin}; in order of time. */
public interface TwinListener {
    /** The request has its first token; in the decode role its first token from here. */
    void onFirstToken(int request, double atSeconds);

    /** The request has its last token. */
    void onFinished(int request, double atSeconds);

    /** So many tokens came after a gap of this length, noise left out of decode-only steps. */
    void onGap(double seconds, double tokens, StepRegime regime);
}
