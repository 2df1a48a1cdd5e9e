/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.SuppliedForecast;
import java.util.OptionalDouble;

/**
 * A forecast as seen from a moment. Immutable.
 *
 * @param forecast what is expected, by time
 * @param nowNanos the moment
 * @param horizonSeconds how far ahead requests are waited for: a cold start
 * @param factor what it is multiplied by
 * @param added what is added then, requests/s
 */
record Course(SuppliedForecast forecast, long nowNanos, double horizonSeconds, double factor, double added) {
    private static final int LOOKS = 16;

    OptionalDouble requestsPerSecond(double secondsFromNow) {
        OptionalDouble told = forecast.at(nowNanos + (long) (secondsFromNow * 1e9));
        return told.isEmpty() ? told : OptionalDouble.of(Math.max(0, factor * told.getAsDouble() + added));
    }

    Course times(double more) {
        return new Course(forecast, nowNanos, horizonSeconds, factor * more, added * more);
    }

    Course plus(double more) {
        return new Course(forecast, nowNanos, horizonSeconds, factor, added + more);
    }

    /** Whether it expects requests within its horizon. */
    boolean expectsSome() {
        for (int look = 0; look <= LOOKS; look++) {
            if (requestsPerSecond(horizonSeconds * look / LOOKS).orElse(0) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether it has something to say of the end of its horizon. */
    boolean reachesHorizon() {
        return requestsPerSecond(horizonSeconds).isPresent();
    }
}
