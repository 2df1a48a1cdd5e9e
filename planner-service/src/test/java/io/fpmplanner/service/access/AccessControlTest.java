/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.service.access.AccessControl.Outcome;
import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.Network;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessControlTest {
    private static final String READER = "reader-token-0123456789";
    private static final String OPERATOR = "operator-token-0123456789";

    @TempDir
    private Path directory;

    private AccessControl control(List<Network> networks, double rate) throws Exception {
        Path read = Files.writeString(directory.resolve("read"), "# scrapers\n\nprometheus " + READER + "\n");
        Path operate = Files.writeString(directory.resolve("operate"), OPERATOR);
        return new AccessControl(new AccessSettings(
                Optional.empty(),
                new AccessSettings.Tokens(Optional.of(read), Optional.empty(), Optional.of(operate)),
                AccessSettings.defaults().clients(),
                networks,
                rate,
                10));
    }

    private static AccessControl.Decision ask(AccessControl control, String method, String path, String header) {
        return control.decide(
                AccessRules.needed(method, path),
                new AccessControl.Caller("10.1.2.3", header.isEmpty() ? null : header, List.of()),
                0);
    }

    private static String basic(String token) {
        return "Basic " + Base64.getEncoder().encodeToString(("me:" + token).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void tokensOpenWhatTheirRoleMay() throws Exception {
        AccessControl control = control(List.of(), 1000);
        assertThat(ask(control, "GET", "/v1/pools", "").outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(ask(control, "GET", "/livez", "").outcome()).isEqualTo(Outcome.ADMITTED);
        AccessControl.Decision read = ask(control, "GET", "/v1/pools", "Bearer " + READER);
        assertThat(read.outcome()).isEqualTo(Outcome.ADMITTED);
        assertThat(read.who()).isEqualTo("prometheus");
        assertThat(ask(control, "GET", "/", basic(READER)).outcome()).isEqualTo(Outcome.ADMITTED);
        assertThat(ask(control, "PUT", "/v1/pools/a/workload", "Bearer " + READER)
                        .outcome())
                .isEqualTo(Outcome.ROLE);
        AccessControl.Decision operate = ask(control, "PUT", "/v1/pools/a/workload", "bearer " + OPERATOR);
        assertThat(operate.outcome()).isEqualTo(Outcome.ADMITTED);
        assertThat(operate.who()).startsWith("token-").doesNotContain(OPERATOR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "Bearer ", "Bearer x", "Basic ???", "Basic bWU=", "Digest abc", "Bearer  "})
    void anythingElseIsUnknown(String header) throws Exception {
        assertThat(ask(control(List.of(), 1000), "GET", "/v1/pools", header).outcome())
                .isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void tokensAreTakenOverAndWhatIsUnreadableIsNot() throws Exception {
        AccessControl control = control(List.of(), 1000);
        assertThat(control.reload()).isEmpty();
        Files.writeString(directory.resolve("read"), "another-token-0123456789");
        assertThat(control.reload()).contains(2);
        assertThat(ask(control, "GET", "/v1/pools", "Bearer " + READER).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        Files.writeString(directory.resolve("read"), "secret-1");
        assertThatThrownBy(control::reload)
                .hasMessageContaining("line 1")
                .hasMessageContaining("16 characters")
                .hasMessageNotContaining("secret-1");
        assertThat(ask(control, "GET", "/v1/pools", "Bearer another-token-0123456789")
                        .outcome())
                .isEqualTo(Outcome.ADMITTED);
    }

    @Test
    void oneClientCannotTakeTheRequestsOfAnother() throws Exception {
        AccessControl control = control(List.of(), 10);
        for (int i = 0; i < 10; i++) {
            assertThat(ask(control, "GET", "/v1/pools", "Bearer " + READER).outcome())
                    .isEqualTo(Outcome.ADMITTED);
        }
        assertThat(ask(control, "GET", "/v1/pools", "Bearer " + READER).outcome())
                .isEqualTo(Outcome.RATE);
        assertThat(ask(control, "GET", "/livez", "").outcome()).isEqualTo(Outcome.ADMITTED);
        assertThat(control.decide(
                                AccessRules.needed("GET", "/v1/pools"),
                                new AccessControl.Caller("10.9.9.9", "Bearer " + READER, List.of()),
                                0)
                        .outcome())
                .isEqualTo(Outcome.ADMITTED);
        assertThat(control.decide(
                                AccessRules.needed("GET", "/v1/pools"),
                                new AccessControl.Caller("10.1.2.3", "Bearer " + READER, List.of()),
                                500_000_000L)
                        .outcome())
                .isEqualTo(Outcome.ADMITTED);
    }

    @Test
    void guessingTokensIsSlow() throws Exception {
        AccessControl control = control(List.of(), 100);
        int guesses = 0;
        while (ask(control, "GET", "/v1/pools", "Bearer guess-" + guesses).outcome() == Outcome.UNKNOWN) {
            guesses++;
        }
        assertThat(guesses).isLessThan(6);
    }

    @Test
    void clientsThatComeAndGoTakeNoMoreMemory() {
        RateLimiter limiter = new RateLimiter(10);
        for (int i = 0; i < 50_000; i++) {
            limiter.take("client-" + i, 1, i);
        }
        assertThat(limiter.clients()).isEqualTo(10_000);
    }

    @Test
    void aTokenListedTwiceIsRefusedWithoutBeingShown() throws Exception {
        Path read = Files.writeString(directory.resolve("read"), "a " + READER + "\n");
        Path operate = Files.writeString(directory.resolve("operate"), "# everything\nb " + READER + "\n");
        AccessSettings settings = new AccessSettings(
                Optional.empty(),
                new AccessSettings.Tokens(Optional.of(read), Optional.empty(), Optional.of(operate)),
                AccessSettings.defaults().clients(),
                List.of(),
                100,
                10);
        assertThatThrownBy(() -> new AccessControl(settings))
                .hasMessageContainingAll("operate, line 2", "READ")
                .message()
                .doesNotContain(READER);
    }

    @Test
    void addressesAreAllowedByNetwork() throws Exception {
        AccessControl control = control(List.of(Network.parse("10.1.0.0/16"), Network.parse("::1")), 1000);
        assertThat(control.decide(
                                AccessRules.needed("GET", "/livez"),
                                new AccessControl.Caller("10.1.2.3", null, List.of()),
                                0)
                        .outcome())
                .isEqualTo(Outcome.ADMITTED);
        assertThat(control.decide(
                                AccessRules.needed("GET", "/livez"),
                                new AccessControl.Caller("10.2.2.3", null, List.of()),
                                0)
                        .outcome())
                .isEqualTo(Outcome.ADDRESS);
        assertThat(control.decide(
                                AccessRules.needed("GET", "/livez"),
                                new AccessControl.Caller("0:0:0:0:0:0:0:1", null, List.of()),
                                0)
                        .outcome())
                .isEqualTo(Outcome.ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "192.168.1.7, 192.168.1.7, true",
        "192.168.1.7, 192.168.1.8, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fd12::1, true",
        "fd00::/8, fe80::1, false",
    })
    void networksHoldWhatTheirPrefixSays(String network, String address, boolean inside) throws Exception {
        assertThat(Network.parse(network).contains(InetAddress.getByName(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host.example", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10", "dead", "1.2.3/x"})
    void whatIsNoNetworkIsRefused(String text) {
        assertThatThrownBy(() -> Network.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
