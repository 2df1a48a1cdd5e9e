# SPDX-License-Identifier: Apache-2.0
"""Dynamo's event plane over the real nats-server, named by the first argument.

Python speaks the NATS protocol by itself and publishes envelopes packed by Python's msgpack, in both scopes of Dynamo, with
other topics, other shapes and rubbish between them. The server is stopped and started meanwhile. Then a relay publishes
what libzmq gives it, and the planner must see it under a publisher of its own.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

import msgpack
import zmq

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402
from relay_and_files import bind_pub, end, frame, message  # noqa: E402

COMPONENT = "namespace.dyn%2Eamo.component.backend.forward-pass-metrics"
ENDPOINT = "namespace.dyn%2Eamo.component.backend.endpoint.generate.forward-pass-metrics"
OTHER = "namespace.dyn%2Eamo.component.prefill.forward-pass-metrics"


class Server:
    def __init__(self, binary, port):
        self.arguments = [binary, "-a", "127.0.0.1", "-p", str(port)]
        self.port = port

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.answers, 30, "nats-server to listen", self.process)
        return self

    def answers(self):
        try:
            Client(self.port).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)


class Client:
    """As much of NATS as publishing needs."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")
        if not self.file.readline().startswith(b"INFO "):
            raise OSError("no NATS server")
        self.socket.sendall(b'CONNECT {"verbose":false,"pedantic":false}\r\n')
        self.flush()

    def publish(self, subject, body):
        self.socket.sendall(f"PUB {subject} {len(body)}\r\n".encode() + body + b"\r\n")

    def flush(self):
        self.socket.sendall(b"PING\r\n")
        while True:
            line = self.file.readline()
            if line == b"PONG\r\n":
                return
            if not line:
                raise OSError("the server hung up")

    def close(self):
        self.socket.close()


def envelope(publisher, sequence, payload, topic="forward-pass-metrics", **more):
    return msgpack.packb(dict({"publisher_id": publisher, "sequence": sequence, "published_at": 1767225600123,
                               "topic": topic, "payload": payload}, **more))


def main():
    server = Server(sys.argv[1], free_port()).start()
    http = free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "planner.yaml")
        with open(config, "w", encoding="utf-8") as file:
            base = f"nats://127.0.0.1:{server.port}/"
            json.dump({"http": {"port": http}, "tickSeconds": 0.2,
                       "pools": [{"id": "backend", "sources": [base + "namespace.*.component.backend.>"]},
                                 {"id": "prefill", "sources": [base + OTHER]},
                                 {"id": "relayed", "sources": [base + "relayed.forward-pass-metrics"]}]}, file)
        try:
            with Planner("serve", "--config", config, port=http) as planner:
                planner.wait_ready()
                run(planner, server)
        finally:
            server.stop()


def run(planner, server):
    def document(pool):
        return planner.get(f"/v1/pools/{pool}/workers")[1]

    def received(pool):
        return sorted((r["publisherId"], w["workerId"], r["framesReceived"])
                      for w in document(pool)["workers"] for r in w["ranks"])

    def endpoint(pool):
        return document(pool)["endpoints"][0]

    for pool in ("backend", "prefill", "relayed"):
        wait_for(lambda: endpoint(pool)["state"] == "CONNECTED", 60, f"{pool} to be connected", planner.process)
    client = Client(server.port)
    for counter in range(100):
        payload = msgpack.packb(frame(counter, "same"))
        client.publish(COMPONENT, envelope(17, counter, payload))
        client.publish(ENDPOINT, envelope(18, counter, payload, published_at_ns=5))
        client.publish(OTHER, envelope(19, counter, payload))
    client.publish(ENDPOINT, envelope(18, 100, msgpack.packb({"worker_id": 1}), topic="kv_metrics"))
    client.publish(ENDPOINT, envelope(18, 101, b"\xc1"))
    client.publish(ENDPOINT, b"\xc1 rubbish")
    client.publish(ENDPOINT, b'{"publisher_id": 1, "sequence": 2, "published_at": 3, "payload": [1, 2]}')
    client.publish(ENDPOINT, b"")
    client.flush()
    expected = [(17, "same", 100), (18, "same", 100)]
    wait_for(lambda: [(int(p), w, n) for p, w, n in received("backend")] == expected, 30,
             "two publishers of one worker id to be two ranks", planner.process)
    wait_for(lambda: [(int(p), w, n) for p, w, n in received("prefill")] == [(19, "same", 100)], 30,
             "the other component to be the other pool's", planner.process)
    wait_for(lambda: sum(endpoint("backend")["rejected"].values()) == 4, 30, "four messages to be refused", planner.process)
    print("NATS: both scopes, 300 events; refused", endpoint("backend")["rejected"],
          "ignored", endpoint("backend").get("messagesIgnored"))

    server.stop()
    wait_for(lambda: endpoint("backend")["state"] == "CONNECTING", 60, "the loss to be seen", planner.process)
    print("NATS: server stopped:", endpoint("backend").get("detail"))
    server.start()
    for pool in ("backend", "prefill", "relayed"):
        wait_for(lambda: endpoint(pool)["state"] == "CONNECTED", 60, f"{pool} to be connected again", planner.process)
    client = Client(server.port)

    def again():
        client.publish(COMPONENT, envelope(17, 100, msgpack.packb(frame(100, "same"))))
        client.flush()
        return dict((int(p), n) for p, _, n in received("backend")).get(17, 0) > 100

    wait_for(again, 60, "frames after the server was away", planner.process)
    print("NATS: frames again after a restart of the server")

    context = zmq.Context()
    pub, port = bind_pub(context)
    relay = subprocess.Popen([os.path.join(ROOT, "planner"), "relay", "--from", f"tcp://127.0.0.1:{port}", "--to",
                              f"nats://127.0.0.1:{server.port}/relayed.forward-pass-metrics"], stderr=subprocess.PIPE, text=True)
    counter = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(n >= 50 for _, _, n in received("relayed")):
        pub.send_multipart(message(counter))
        counter += 1
        time.sleep(0.01)
    ranks = received("relayed")
    if len(ranks) != 1 or ranks[0][1] != "w0" or not int(ranks[0][0]):
        raise SystemExit(f"the relayed frames did not come: {ranks}")
    print("NATS:", end(relay).strip().splitlines()[-1], "by relay to NATS, seen by the planner under publisher", ranks[0][0])
    context.destroy(linger=0)


if __name__ == "__main__":
    main()
