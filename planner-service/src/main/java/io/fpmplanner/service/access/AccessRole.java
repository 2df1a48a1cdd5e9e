/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

/** What a client may do. */
public enum AccessRole {
    /** Read everything and ask for predictions; changes nothing. */
    READ,
    /** Post frames and observations; reads nothing. */
    INGEST,
    /** Change what the planner decides by; may read and post as well. */
    OPERATE;

    /** Whether who has this role may do what asks for the other. */
    public boolean includes(AccessRole needed) {
        return this == OPERATE || this == needed;
    }
}
