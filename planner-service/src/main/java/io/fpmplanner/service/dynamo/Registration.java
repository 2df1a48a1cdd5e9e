/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

/**
 * Where a plugin stands with the registry: what is to be asked of it next, and when. Not threadsafe.
 *
 * <p>A registration that the registry forgot, by a restart of its own or for want of heartbeats, is made again. One that is
 * there already under the same name and secret is from a run of this planner that was killed: it is taken back first.
 */
final class Registration {
    /** Dynamo's planner gives a plugin up after two times 15 s without a heartbeat, and asks for three in each 15 s. */
    static final double HEARTBEAT_SECONDS = 5;

    private static final double LONGEST_WAIT_SECONDS = 60;
    private static final String DUPLICATE = "duplicate_plugin_id";

    private Ask next = Ask.REGISTER;
    private boolean registered;
    private boolean tookBack;
    private double waitSeconds = HEARTBEAT_SECONDS;

    /** What can be asked of the registry. */
    enum Ask {
        REGISTER,
        HEARTBEAT,
        UNREGISTER
    }

    /** What came of it. */
    enum Result {
        /** Done as asked. */
        OK,
        /** Answered with no. */
        REFUSED,
        /** Not answered, or by an error. */
        FAILED
    }

    /**
     * An answer of the registry.
     *
     * @param result what came of the question
     * @param why of a refusal or failure, else empty
     */
    record Answer(Result result, String why) {
        static final Answer DONE = new Answer(Result.OK, "");

        static Answer refused(String why) {
            return new Answer(Result.REFUSED, why);
        }

        static Answer failed(String why) {
            return new Answer(Result.FAILED, why);
        }
    }

    Ask next() {
        return next;
    }

    boolean isRegistered() {
        return registered;
    }

    /** Takes in the answer to {@link #next}; returns the seconds to wait before the question that follows, 0 for none. */
    double answered(Answer answer) {
        return switch (next) {
            case REGISTER -> registered(answer);
            case HEARTBEAT -> beaten(answer);
            case UNREGISTER -> {
                next = Ask.REGISTER;
                yield answer.result() == Result.FAILED ? backOff() : 0;
            }
        };
    }

    private double registered(Answer answer) {
        if (answer.result() == Result.OK) {
            registered = true;
            tookBack = false;
            waitSeconds = HEARTBEAT_SECONDS;
            next = Ask.HEARTBEAT;
            return HEARTBEAT_SECONDS;
        }
        if (answer.why().startsWith(DUPLICATE) && !tookBack) {
            tookBack = true;
            next = Ask.UNREGISTER;
            return 0;
        }
        tookBack = false;
        return backOff();
    }

    private double beaten(Answer answer) {
        if (answer.result() == Result.REFUSED) {
            registered = false;
            next = Ask.REGISTER;
            return 0;
        }
        // Not answered: it may be away for a moment, and know the plugin when it is back.
        return HEARTBEAT_SECONDS;
    }

    private double backOff() {
        double wait = waitSeconds;
        waitSeconds = Math.min(LONGEST_WAIT_SECONDS, 2 * wait);
        return wait;
    }
}
