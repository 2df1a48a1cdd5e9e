/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.models.StepRegime;

/** Tells how far apart tokens are. Not threadsafe. */
final class TwinTokenGaps {
    /*
     * The first step of a stretch carried prefill or followed steps in which the decodes stood still; others did not. Those
     * that joined since the last decode step have had their first tokens when their prompts ended.
     */
    private final TwinListener listener;
    private final boolean decodesBesidePrefill;
    private double lastDecodeSeconds;
    private int joined;
    private double joinedSeconds;

    TwinTokenGaps(TwinListener listener, boolean decodesBesidePrefill) {
        this.listener = listener;
        this.decodesBesidePrefill = decodesBesidePrefill;
    }

    void reset(double atSeconds) {
        lastDecodeSeconds = atSeconds;
        joined = 0;
        joinedSeconds = 0;
    }

    void joined(double atSeconds) {
        joined++;
        joinedSeconds += atSeconds;
    }

    /**
     * Decode steps have ended.
     *
     * @param withPrefill whether the first of them computed prompts too
     * @param meanSeconds mean time of one without
     */
    void tell(TwinStep step, int batch, boolean withPrefill, double meanSeconds) {
        double plainSteps = step.count();
        if (decodesBesidePrefill) {
            if (withPrefill) {
                listener.onGap(step.seconds(), batch, StepRegime.MIXED);
                plainSteps--;
            }
        } else if (step.startSeconds() > lastDecodeSeconds) {
            listener.onGap(step.startSeconds() - lastDecodeSeconds + step.seconds(), batch - joined, StepRegime.MIXED);
            if (joined > 0) {
                double joinedAt = joinedSeconds / joined;
                listener.onGap(step.startSeconds() - joinedAt + step.seconds(), joined, StepRegime.MIXED);
            }
            plainSteps--;
        }
        if (plainSteps > 0) {
            listener.onGap(meanSeconds, batch * plainSteps, StepRegime.DECODE);
        }
        reset(step.endSeconds());
    }
}
