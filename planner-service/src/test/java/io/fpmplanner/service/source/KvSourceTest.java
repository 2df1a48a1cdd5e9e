/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** KvMetrics and LoadStat over real sockets into a running service. Bytes are of CPython's and msgspec's making. */
class KvSourceTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] ARRAY =
            HEX.parseHex("99a94b764d6574726963730ccd0100ce0001e240ce0007a12003cb3fcf9acffa7eb6bfcb3fe000000000000000");
    private static final byte[] LOAD_STAT = HEX.parseHex("96a84c6f6164537461740709ce0001e240ce0007a120c0");
    private static final byte[] EVIL = HEX.parseHex("80049527000000000000008c05706f736978948c0673797374656d9493948c0c"
            + "746f756368202f746d702f7894859452942e");

    @Test
    void reportsAreShownAtTheirRankAndGiveTheCapacity() throws Exception {
        int port = freePort();
        try (TestPublisher engine = new TestPublisher();
                ZContext context = new ZContext();
                ZMQ.Socket push = context.createSocket(SocketType.PUSH);
                PlannerService service = start(engine.endpoint() + ",kv+tcp+bind://127.0.0.1:" + port)) {
            // JeroMQ stalls in some handshakes and by default only gives up after 30 s.
            push.setHandshakeIvl(1000);
            push.connect("tcp://127.0.0.1:" + port);
            RestClient rest = new RestClient(service.url());
            engine.awaitSubscriber();
            engine.sendDecode("w");
            push.send(EVIL);
            push.send(new byte[] {1, 2, 3});
            push.send(ARRAY);

            JsonNode kv = rank(rest.await("/v1/pools/chat/workers", d -> rank(d).hasNonNull("kv")))
                    .get("kv");
            assertThat(kv.get("usedTokens").asLong()).isEqualTo(123_456);
            assertThat(kv.get("capacityTokens").asLong()).isEqualTo(500_000);
            assertThat(kv.get("usedShare").asDouble()).isEqualTo(0.246912);
            assertThat(kv.get("prefixHitShare").asDouble()).isEqualTo(0.5);
            assertThat(kv.get("waitingRequests").asLong()).isEqualTo(3);
            assertThat(kv.get("usedBlocks").isNull()).isTrue();
            assertThat(kv.get("ageSeconds").asDouble()).isNotNegative();
            JsonNode pool = rest.json("/v1/pools/chat");
            assertThat(pool.at("/settings/engine/kvCapacityTokens").asLong()).isEqualTo(500_000);
            assertThat(pool.at("/kv/reports").asLong()).isEqualTo(1);
            assertThat(rest.get("/metrics").body())
                    .contains("fpm_planner_kv_capacity_tokens{pool=\"chat\"} 500000.0")
                    .contains("reason=\"forbidden_pickle\"} 1.0")
                    .contains("reason=\"not_kv\"} 1.0");
        }
    }

    @Test
    void loadStatIsSubscribedToAndItsPortTellsTheRank() throws Exception {
        try (TestPublisher engine = new TestPublisher();
                ZContext context = new ZContext();
                ZMQ.Socket load = context.createSocket(SocketType.XPUB)) {
            load.setReceiveTimeOut(20_000);
            int port = load.bindToRandomPort("tcp://127.0.0.1");
            try (PlannerService service = start(engine.endpoint() + ",kv+tcp://127.0.0.1:" + port)) {
                assertThat(load.recv()).isEqualTo(new byte[] {1, 'l', 'o', 'a', 'd'});
                RestClient rest = new RestClient(service.url());
                engine.awaitSubscriber();
                engine.sendDecode("w");
                load.send("load".getBytes(StandardCharsets.US_ASCII), ZMQ.SNDMORE);
                load.send(new byte[8], ZMQ.SNDMORE);
                load.send(LOAD_STAT);

                JsonNode document = rest.await("/v1/pools/chat/workers", d -> rank(d).hasNonNull("kv"));
                assertThat(rank(document).at("/kv/runningRequests").asLong()).isEqualTo(7);
                assertThat(rank(document).at("/kv/waitingRequests").asLong()).isEqualTo(9);
                assertThat(document.get("endpoints")).anySatisfy(endpoint -> {
                    assertThat(endpoint.get("source").asText()).isEqualTo("kv+tcp://127.0.0.1:" + port);
                    assertThat(endpoint.get("state").asText()).isEqualTo("CONNECTED");
                });
            }
        }
    }

    private static JsonNode rank(JsonNode document) {
        return document.at("/workers/0/ranks/0");
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static PlannerService start(String sources) throws Exception {
        return PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", sources),
                        List.of("http.port=0"))
                .config());
    }
}
