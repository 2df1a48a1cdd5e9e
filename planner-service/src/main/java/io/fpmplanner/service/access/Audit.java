/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each thing that somebody may be asked about later, under the logger {@code audit}. Refusals, which anybody
 * can cause, are written once a second at most, with the number of those that were not. Threadsafe.
 */
public final class Audit {
    private static final Logger log = LoggerFactory.getLogger("audit");
    private static final long REFUSAL_NANOS = 1_000_000_000L;

    private final LongSupplier nanoTime;
    private long refusedNanos;
    private long unsaid;
    private boolean refusedEver;

    /** Lines are spaced by this clock. */
    public Audit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The configuration in force, by the SHA-256 of its whole text. */
    public void configured(String digest, int pools) {
        log.atInfo()
                .addKeyValue("configuration", digest)
                .addKeyValue("pools", pools)
                .log("configuration loaded");
    }

    /** Other secrets are in force from now on. */
    public void credentialsReplaced(int tokens) {
        log.atInfo().addKeyValue("tokens", tokens).log("credentials replaced");
    }

    /** Somebody did what asks for OPERATE. */
    public void operated(String who, String address, String action, int status) {
        log.atInfo()
                .addKeyValue("who", who)
                .addKeyValue("address", address)
                .addKeyValue("action", action)
                .addKeyValue("status", status)
                .log("operated");
    }

    /** Somebody was not let in. */
    public synchronized void refused(String who, String address, String action, String why) {
        long now = nanoTime.getAsLong();
        if (refusedEver && now - refusedNanos < REFUSAL_NANOS) {
            unsaid++;
            return;
        }
        log.atWarn()
                .addKeyValue("who", who)
                .addKeyValue("address", address)
                .addKeyValue("action", action)
                .addKeyValue("why", why)
                .addKeyValue("notShown", unsaid)
                .log("refused");
        refusedEver = true;
        refusedNanos = now;
        unsaid = 0;
    }
}
