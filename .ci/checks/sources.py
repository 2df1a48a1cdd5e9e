# SPDX-License-Identifier: Apache-2.0
"""Every ZeroMQ source against real libzmq: who is on the other side, what is done to it, what the planner shows.

Needs python3-zmq and python3-msgpack. Prints a table source x what was run against it; exit status 0 if all of it held.
"""

import http.server
import os
import shutil
import signal
import socket
import socketserver
import struct
import sys
import tempfile
import threading
import time

import msgpack
import zmq

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import Planner, free_port, wait_for  # noqa: E402

TOPIC = b"forward-pass-metrics"
SECONDS = 20
context = zmq.Context.instance()


def payload(worker, counter, rank=0):
    """A decode step as Dynamo and SGLang write it: a map by names in the declared order, real numbers as float64."""
    return msgpack.packb({
        "version": 1, "worker_id": worker, "dp_rank": rank, "counter_id": counter, "wall_time": 0.02,
        "scheduled_requests": {
            "num_prefill_requests": 0, "sum_prefill_tokens": 0, "var_prefill_length": 0.0, "sum_prefill_kv_tokens": 0,
            "num_decode_requests": 8, "sum_decode_kv_tokens": 8000 + counter, "var_decode_kv_tokens": 0.0},
        "queued_requests": {
            "num_prefill_requests": 0, "sum_prefill_tokens": 0, "var_prefill_length": 0.0,
            "num_decode_requests": 0, "sum_decode_kv_tokens": 0, "var_decode_kv_tokens": 0.0}})


class Engine:
    """A publisher with the socket options engines leave: PUB semantics, default high-water mark, linger 0.

    An XPUB is a PUB that also tells when somebody has subscribed, so that nothing is sent too early.
    """

    def __init__(self, bind=None, connect=None, **options):
        self.socket = context.socket(zmq.XPUB)
        self.socket.linger = 0
        for name, value in options.items():
            setattr(self.socket, name, value)
        if connect:
            self.socket.connect(connect)
        elif bind.endswith(":0"):
            self.port = self.socket.bind_to_random_port(bind[:-2])
        else:
            self.socket.bind(bind)
        self.sequence = 0

    def await_subscriber(self):
        if not self.socket.poll(SECONDS * 1000):
            raise SystemExit("nobody subscribed")
        return self.socket.recv()

    def send(self, worker="w", rank=0):
        self.socket.send_multipart([b"", struct.pack(">Q", self.sequence), payload(worker, self.sequence, rank)])
        self.sequence += 1

    def close(self):
        self.socket.close()


class EventPublisher:
    """Dynamo's event plane over ZeroMQ: subject, publisher id, sequence, and the envelope behind its prefix."""

    def __init__(self, publisher, engine, subject):
        self.publisher, self.engine, self.subject = publisher, engine, subject
        self.sequence = 0
        self.counters = {}

    def send(self, worker, rank=0, topic=TOPIC):
        counter = self.counters[worker, rank] = self.counters.get((worker, rank), 0) + 1
        envelope = msgpack.packb({
            "publisher_id": self.publisher, "sequence": self.sequence, "published_at": int(time.time() * 1000),
            "topic": topic.decode(), "payload": payload(worker, counter, rank)})
        self.engine.socket.send_multipart([
            self.subject, struct.pack(">Q", self.publisher), struct.pack(">Q", self.sequence),
            b"\x01" + struct.pack(">I", len(envelope)) + envelope])
        self.sequence += 1


class Pools:
    """What the planner shows of its pools."""

    def __init__(self, planner):
        self.planner = planner

    def workers(self, pool):
        return self.planner.get(f"/v1/pools/{pool}/workers")[1] or {"workers": [], "endpoints": []}

    def await_(self, pool, what, condition):
        return wait_for(lambda: (lambda d: d if condition(d) else None)(self.workers(pool)), SECONDS,
                        f"{what} in pool {pool}", self.planner.process)

    def await_frames(self, pool, count):
        return self.await_(pool, f"{count} frames", lambda d: received(d) == count)

    def await_endpoint(self, pool, state, detail=""):
        return self.await_(pool, f"an endpoint {state} {detail}", lambda d: any(
            e["state"] == state and detail in (e["detail"] or "") for e in d["endpoints"]))


def ranks(document):
    return [rank for worker in document["workers"] for rank in worker["ranks"]]


def received(document):
    return sum(rank["framesReceived"] for rank in ranks(document))


def expect(condition, what, document):
    if not condition:
        raise SystemExit(f"{what}: {document}")


def tcp_connect(pools, ports):
    """two PUBs bind, one port each; both with an empty worker_id"""
    engines = [Engine(bind=f"tcp://127.0.0.1:{port}") for port in ports["tcp"]]
    for engine in engines:
        engine.await_subscriber()
        for _ in range(50):
            engine.send("")
    document = pools.await_frames("tcp", 100)
    expect(len(ranks(document)) == 2, "two engines without a name merged", document)
    expect(all(rank["framesLost"] == 0 for rank in ranks(document)), "frames were lost", document)
    for engine in engines:
        engine.close()


def restart(pools, ports):
    """PUB binds, closes without goodbye, binds again and numbers from 0"""
    first = Engine(bind=f"tcp://127.0.0.1:{ports['restart']}")
    first.await_subscriber()
    first.sequence = 500
    first.send()
    pools.await_frames("restart", 1)
    first.close()
    pools.await_endpoint("restart", "CONNECTING")
    second = Engine(bind=f"tcp://127.0.0.1:{ports['restart']}")
    second.await_subscriber()
    second.send()
    second.send()
    document = pools.await_frames("restart", 3)
    rank = ranks(document)[0]
    expect(rank["restarts"] == 1 and rank["framesLost"] == 0, "the restart was not seen", document)
    second.close()


def loss(pools, ports):
    """PUB binds, its HWM (1,000) overflows while the planner is stopped"""
    engine = Engine(bind=f"tcp://127.0.0.1:{ports['loss']}", sndbuf=4096)
    engine.await_subscriber()
    engine.send()
    pools.await_frames("loss", 1)
    process = pools.planner.process
    os.kill(process.pid, signal.SIGSTOP)
    try:
        sent = 60_000
        for _ in range(sent):
            engine.send()
    finally:
        os.kill(process.pid, signal.SIGCONT)
    # Only a frame behind the gap shows it.
    def gap_closed(document):
        engine.send()
        return ranks(document) and ranks(document)[0]["framesLost"] > 0
    pools.await_("loss", "a gap", gap_closed)
    total = engine.sequence
    document = pools.await_("loss", "everything accounted for", lambda d: (
        ranks(d)[0]["framesReceived"] + ranks(d)[0]["framesLost"] == total))
    rank = ranks(document)[0]
    expect(rank["restarts"] == 0, "loss was taken for a restart", document)
    print(f"     of {total} frames {rank['framesReceived']} received, {rank['framesLost']} seen as lost by their gap")
    engine.close()


def tcp_bind(pools, ports):
    """two PUBs connect to our port, go and come back; a stranger connects too"""
    address = f"tcp://127.0.0.1:{ports['bind']}"
    for count in (2, 4):
        relays = [Engine(connect=address), Engine(connect=address)]
        for relay in relays:
            relay.await_subscriber()
            relay.send("")
        pools.await_frames("bind", count)
        for relay in relays:
            relay.close()
        pools.await_("bind", "the relays to be gone", lambda d: all(
            e["state"] in ("LISTENING", "FORMER") for e in d["endpoints"]))
    with socket.create_connection(("127.0.0.1", ports["bind"])) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
        pools.await_("bind", "the stranger to be counted", lambda d: any(
            e["state"] == "LISTENING" and e["protocolErrors"] == 1 for e in d["endpoints"]))


def ipc_glob(pools, ports):
    """PUBs bind ipc:// files that match a pattern; files vanish, come back, lie about without an engine"""
    directory = ports["ipc"]
    open(os.path.join(directory, "fpm.base"), "w").close()
    engines = [Engine(bind=f"ipc://{directory}/fpm.{rank}") for rank in range(2)]
    for rank, engine in enumerate(engines):
        engine.await_subscriber()
        for _ in range(50):
            engine.send("sglang", rank)
    document = pools.await_frames("ipc", 100)
    expect(len(document["workers"]) == 1 and len(ranks(document)) == 2, "two ranks of one worker", document)
    engines[0].close()  # libzmq leaves its file behind.
    pools.await_endpoint("ipc", "CONNECTING", "refused")
    os.unlink(f"{directory}/fpm.0")
    pools.await_("ipc", "the file to be forgotten", lambda d: any(e["state"] == "FORMER" for e in d["endpoints"]))
    again = Engine(bind=f"ipc://{directory}/fpm.0")
    again.await_subscriber()
    again.send("sglang", 0)
    pools.await_("ipc", "the restart", lambda d: any(rank["restarts"] == 1 for rank in ranks(d)))
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(f"{directory}/fpm.7")  # Bound and never listening, as after a kill -9.
    stale.close()
    pools.await_("ipc", "the dead socket", lambda d: any(
        e["endpoint"].endswith("fpm.7") and e["state"] == "CONNECTING" for e in d["endpoints"]))
    again.close()
    engines[1].close()


def dynamo_direct(pools, ports):
    """PUB binds, four parts with envelopes; two ranks of one worker, a gap in the publisher's numbers"""
    engine = Engine(bind=f"tcp://127.0.0.1:{ports['direct']}")
    engine.await_subscriber()
    publisher = EventPublisher(0x1F2E3D4C5B6A7, engine, TOPIC)
    for rank in (0, 1):
        for _ in range(20):
            publisher.send("8465209922961459", rank)
    publisher.sequence += 5
    publisher.send("8465209922961459", 0)
    document = pools.await_frames("direct", 41)
    expect({rank["publisherId"] for rank in ranks(document)} == {str(0x1F2E3D4C5B6A7)}, "publisher id", document)
    expect({worker["workerId"] for worker in document["workers"]} == {"8465209922961459"}, "worker id", document)
    expect(document["endpoints"][0]["framesLost"] == 5, "loss by the envelope's numbers", document)
    engine.close()


def dynamo_broker(pools, ports):
    """two PUBs connect to the XSUB side of a real zmq.proxy, we to its XPUB side; full subjects, two nameless publishers, another topic"""
    front, back = context.socket(zmq.XSUB), context.socket(zmq.XPUB)
    xsub = front.bind_to_random_port("tcp://127.0.0.1")
    back.bind(f"tcp://127.0.0.1:{ports['broker']}")
    threading.Thread(target=_proxy, args=(front, back), daemon=True).start()
    subject = b"namespace.prod.component.backend.endpoint.generate." + TOPIC
    publishers = []
    for number in (11, 12):
        engine = Engine(connect=f"tcp://127.0.0.1:{xsub}")
        publishers.append(EventPublisher(number, engine, subject))
        for _ in range(2):
            engine.await_subscriber()  # One for bare topics, one for subjects.
    other = EventPublisher(13, publishers[0].engine, b"namespace.prod.component.backend.kv-events")
    for publisher in publishers:
        for _ in range(30):
            publisher.send("")
    other.send("noise", topic=b"kv-events")
    document = pools.await_frames("broker", 60)
    expect({rank["publisherId"] for rank in ranks(document)} == {"11", "12"}, "publishers merged", document)
    expect(all(rank["framesLost"] == 0 for rank in ranks(document)), "frames were lost", document)
    pools.await_("broker", "the other topic to be ignored", lambda d: d["endpoints"][0]["messagesIgnored"] == 1)


def _proxy(front, back):
    try:
        zmq.proxy(front, back)
    except zmq.ZMQError:
        pass


def strangers(pools, ports):
    """an HTTP server, one that greets as SSH does, a PUSH socket and a PUB with CURVE where an engine should be"""
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass
    class Banner(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(b"SSH-2.0-x\r\n")
            self.request.recv(1)
    web, banner, push, curve = ports["strangers"]
    server = http.server.HTTPServer(("127.0.0.1", web), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    greeter = socketserver.ThreadingTCPServer(("127.0.0.1", banner), Banner)
    greeter.daemon_threads = True
    threading.Thread(target=greeter.serve_forever, daemon=True).start()
    pusher = context.socket(zmq.PUSH)
    pusher.bind(f"tcp://127.0.0.1:{push}")
    secured = context.socket(zmq.PUB)
    _, secured.curve_secretkey = zmq.curve_keypair()
    secured.curve_server = True
    secured.bind(f"tcp://127.0.0.1:{curve}")
    # libzmq hangs up on a NULL peer before it has said what it wants.
    pools.await_endpoint("strangers", "CONNECTING", "another security mechanism than NULL")
    for detail in ("does not greet", "does not speak ZMTP", "PUSH"):
        pools.await_endpoint("strangers", "INCOMPATIBLE", detail)
    for each in (server, greeter):
        each.shutdown()
        each.server_close()
    pusher.close()
    secured.close()


def heartbeats(pools, ports):
    """PUB binds with ZMQ_HEARTBEAT_IVL 100 ms and a time-out of 300 ms; nothing is published for 2 s"""
    engine = Engine(bind=f"tcp://127.0.0.1:{ports['pings']}", heartbeat_ivl=100, heartbeat_timeout=300)
    engine.await_subscriber()
    time.sleep(2)
    engine.send()
    document = pools.await_frames("pings", 1)
    expect(document["endpoints"][0]["connects"] == 1, "PINGs were not answered", document)
    engine.close()


CASES = [
    ("tcp://", tcp_connect),
    ("tcp://", restart),
    ("tcp://", loss),
    ("tcp://", heartbeats),
    ("tcp://", strangers),
    ("tcp+bind://", tcp_bind),
    ("ipc://", ipc_glob),
    ("dynamo+tcp://", dynamo_direct),
    ("dynamo-broker+tcp://", dynamo_broker),
]
JEROMQ_CASES = [("tcp:// (zeromq.transport: jeromq)", case) for case in (tcp_connect, restart, loss)]


def configuration(http_port, ports, transport):
    sources = {
        "tcp": [f"tcp://127.0.0.1:{port}" for port in ports["tcp"]],
        "restart": [f"tcp://127.0.0.1:{ports['restart']}"],
        "loss": [f"tcp://127.0.0.1:{ports['loss']}"],
        "pings": [f"tcp://127.0.0.1:{ports['pings']}"],
        "strangers": [f"tcp://127.0.0.1:{port}" for port in ports["strangers"]],
        "bind": [f"tcp+bind://127.0.0.1:{ports['bind']}"],
        "ipc": [f"ipc://{ports['ipc']}/fpm.*"],
        "direct": [f"dynamo+tcp://127.0.0.1:{ports['direct']}"],
        "broker": [f"dynamo-broker+tcp://127.0.0.1:{ports['broker']}"],
    }
    lines = ["http:", f"  port: {http_port}", "zeromq:", f"  transport: {transport}", "  reconnectMaxSeconds: 0.25",
             "tickSeconds: 0.1", "pools:"]
    for pool, entries in sources.items():
        lines += [f"  - id: {pool}", "    sources:"] + [f"      - {entry}" for entry in entries]
    return "\n".join(lines) + "\n"


def run(transport, cases, directory):
    taken = iter([free_port() for _ in range(20)])
    ports = {"tcp": [next(taken), next(taken)], "strangers": [next(taken) for _ in range(4)], "ipc": directory}
    for pool in ("restart", "loss", "pings", "bind", "direct", "broker"):
        ports[pool] = next(taken)
    http_port = next(taken)
    path = os.path.join(directory, "planner.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(configuration(http_port, ports, transport))
    with Planner("serve", "--config", path, port=http_port) as planner:
        planner.wait_ready()
        pools = Pools(planner)
        for source, case in cases:
            case(pools, ports)
            print(f"good {source}: {case.__doc__}", flush=True)


def main():
    done = []
    for transport, cases in (("selector", CASES), ("jeromq", JEROMQ_CASES)):
        directory = tempfile.mkdtemp(prefix="fpm")
        try:
            run(transport, cases, directory)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
        done += cases
    version = f"libzmq {zmq.zmq_version()}, pyzmq {zmq.pyzmq_version()}"
    print(f"\n| source | run against it ({version}) | held |\n|---|---|---|")
    for source, case in done:
        print(f"| `{source}` | {case.__doc__} | yes |")


if __name__ == "__main__":
    main()
