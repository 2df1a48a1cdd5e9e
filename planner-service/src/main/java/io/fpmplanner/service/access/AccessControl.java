/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says who a client is and whether it may. {@link #reload} may be called by any thread, all else by one.
 *
 * <p>A token comes as {@code Authorization: Bearer TOKEN}, or as the password of HTTP's basic scheme with any user name,
 * which is what browsers can do for pages and event streams.
 */
public final class AccessControl {
    /** A wrong token costs as much as so many requests, so that guessing is slow. */
    private static final double FAILURE_COST = 20;

    private static final String ANY = "*";
    private static final Identity NOBODY = new Identity("anybody", AccessRole.OPERATE);

    private final AccessSettings settings;
    private final RateLimiter limiter;
    private volatile Secrets secrets;

    private record Secrets(TokenList tokens, List<X509Certificate> authorities) {
        boolean isSame(Secrets other) {
            return tokens.isSame(other.tokens) && authorities.equals(other.authorities);
        }
    }

    /** What became of a request. */
    public enum Outcome {
        /** It may go on. */
        ADMITTED,
        /** Its address may not connect. */
        ADDRESS,
        /** Its client asks too much. */
        RATE,
        /** It says not who it is, or the wrong thing. */
        UNKNOWN,
        /** It is known and may not. */
        ROLE
    }

    /**
     * The answer to a request.
     *
     * @param outcome what became of it
     * @param who the name of the client as far as known
     * @param needed the role that was asked for, if any
     */
    public record Decision(Outcome outcome, String who, Optional<AccessRole> needed) {}

    /**
     * Reads all files of the settings.
     *
     * @throws IOException naming the file that cannot be used, never what is in it
     */
    public AccessControl(AccessSettings settings) throws IOException {
        this.settings = settings;
        this.limiter = new RateLimiter(settings.requestsPerSecond());
        this.secrets = read(settings);
    }

    private static Secrets read(AccessSettings settings) throws IOException {
        TokenList tokens = TokenList.none();
        tokens = with(tokens, settings.tokens().readFile(), AccessRole.READ);
        tokens = with(tokens, settings.tokens().ingestFile(), AccessRole.INGEST);
        tokens = with(tokens, settings.tokens().operateFile(), AccessRole.OPERATE);
        Optional<Path> authorities = settings.clients().caFile();
        try {
            return new Secrets(
                    tokens,
                    authorities.isEmpty()
                            ? List.of()
                            : ClientCertificates.ofPem(Files.readAllBytes(authorities.get())));
        } catch (CertificateException e) {
            throw new IOException(authorities.get() + ": " + e.getMessage(), e);
        }
    }

    private static TokenList with(TokenList tokens, Optional<Path> file, AccessRole role) throws IOException {
        return file.isEmpty() ? tokens : tokens.and(file.get(), role);
    }

    /** Whether anybody is asked who they are. */
    boolean isGuarded() {
        return settings.isGuarded();
    }

    /**
     * Reads the files again; what was in force stays if one cannot be used.
     *
     * @return the number of tokens if anything changed
     */
    public Optional<Integer> reload() throws IOException {
        Secrets read = read(settings);
        if (read.isSame(secrets)) {
            return Optional.empty();
        }
        secrets = read;
        return Optional.of(read.tokens().size());
    }

    /**
     * What a client shows of itself.
     *
     * @param address where it is
     * @param authorization as sent
     * @param chain its certificates, leaf first
     */
    public record Caller(String address, @Nullable String authorization, List<X509Certificate> chain) {
        public Caller {
            chain = List.copyOf(chain);
        }
    }

    /**
     * Decides on a request.
     *
     * @param needed the role that it takes; empty if everybody may
     * @param nowNanos a clock that never goes back
     */
    public Decision decide(Optional<AccessRole> needed, Caller caller, long nowNanos) {
        String address = caller.address();
        if (!isAllowed(address)) {
            return new Decision(Outcome.ADDRESS, address, needed);
        }
        if (needed.isEmpty()) {
            return new Decision(Outcome.ADMITTED, address, needed);
        }
        if (!limiter.take(address, 1, nowNanos)) {
            return new Decision(Outcome.RATE, address, needed);
        }
        Optional<Identity> who =
                settings.isGuarded() ? identify(caller.authorization(), caller.chain()) : Optional.of(NOBODY);
        if (who.isEmpty()) {
            if (caller.authorization() != null) {
                limiter.charge(address, FAILURE_COST - 1);
            }
            return new Decision(Outcome.UNKNOWN, address, needed);
        }
        boolean may = who.get().role().includes(needed.get());
        return new Decision(may ? Outcome.ADMITTED : Outcome.ROLE, who.get().name(), needed);
    }

    private boolean isAllowed(String address) {
        if (settings.allowedAddresses().isEmpty()) {
            return true;
        }
        try {
            return Network.allow(settings.allowedAddresses(), InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private Optional<Identity> identify(@Nullable String authorization, List<X509Certificate> chain) {
        Secrets now = secrets;
        Optional<Identity> known = token(authorization).flatMap(now.tokens()::find);
        if (known.isPresent() || chain.isEmpty() || now.authorities().isEmpty()) {
            return known;
        }
        return ClientCertificates.areSignedBy(now.authorities(), chain)
                ? ClientCertificates.commonName(chain.get(0)).flatMap(this::byName)
                : Optional.empty();
    }

    private Optional<Identity> byName(String name) {
        AccessSettings.Clients clients = settings.clients();
        if (isAmong(clients.operateNames(), name)) {
            return Optional.of(new Identity(name, AccessRole.OPERATE));
        }
        if (isAmong(clients.ingestNames(), name)) {
            return Optional.of(new Identity(name, AccessRole.INGEST));
        }
        return isAmong(clients.readNames(), name) ? Optional.of(new Identity(name, AccessRole.READ)) : Optional.empty();
    }

    private static boolean isAmong(List<String> names, String name) {
        return names.contains(name) || names.contains(ANY);
    }

    private static Optional<String> token(@Nullable String authorization) {
        if (authorization == null) {
            return Optional.empty();
        }
        String[] words = authorization.strip().split(" +", 2);
        if (words.length == 2 && words[0].equalsIgnoreCase("Bearer")) {
            return Optional.of(words[1]);
        }
        if (words.length == 2 && words[0].equalsIgnoreCase("Basic")) {
            try {
                String pair = new String(Base64.getDecoder().decode(words[1]), StandardCharsets.UTF_8);
                int colon = pair.indexOf(':');
                return colon < 0 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
