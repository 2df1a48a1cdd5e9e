# SPDX-License-Identifier: Apache-2.0
"""The publishing library read by libzmq and Python's msgpack: two ranks on Unix sockets and two on TCP ports.

FPM_CLASSPATH names another class path than the built jar.
"""

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
from planner_process import ROOT, free_port  # noqa: E402

CLASSPATH = os.environ.get("FPM_CLASSPATH", os.path.join(ROOT, "planner-service", "target", "planner.jar"))
STEPS = 400


def two_free_ports():
    """The first of two neighbours that are free now."""
    while True:
        port = free_port()
        with socket.socket() as neighbour:
            try:
                neighbour.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue


def subscribe(context, address):
    socket_ = context.socket(zmq.SUB)
    socket_.setsockopt(zmq.SUBSCRIBE, b"")
    socket_.setsockopt(zmq.RECONNECT_IVL, 20)
    socket_.connect(address)
    return socket_


def read(subscriber, rank, deadline):
    """Checks every message until the engine is silent; returns (steps, heartbeats, gaps)."""
    steps = heartbeats = gaps = 0
    expected = None
    while time.monotonic() < deadline:
        if not subscriber.poll(3000):
            break
        topic, sequence, payload = subscriber.recv_multipart()
        number = struct.unpack(">Q", sequence)[0]
        frame = msgpack.unpackb(payload)
        assert topic == b"" and frame["counter_id"] == number and frame["dp_rank"] == rank, frame
        assert list(frame) == ["version", "worker_id", "dp_rank", "counter_id", "wall_time", "scheduled_requests",
                               "queued_requests"], list(frame)
        assert isinstance(frame["scheduled_requests"]["var_decode_kv_tokens"], float)
        gaps += expected is not None and number != expected
        expected = number + 1
        if frame["scheduled_requests"]["num_decode_requests"]:
            contexts = [100 * (i + 1) for i in range(8)]
            mean = sum(contexts) / 8
            variance = sum((c - mean) ** 2 for c in contexts) / 8
            assert abs(frame["scheduled_requests"]["var_decode_kv_tokens"] - variance) < 1e-6 * variance, frame
            steps += 1
        else:
            heartbeats += 1
    return steps, heartbeats, gaps


def main():
    context = zmq.Context.instance()
    directory = tempfile.mkdtemp()
    port = two_free_ports()
    bad = 0
    for address, of_rank in [
        (f"ipc://{directory}/fpm", lambda rank: f"ipc://{directory}/fpm.{rank}"),
        (f"tcp://127.0.0.1:{port}", lambda rank: f"tcp://127.0.0.1:{port + rank}"),
    ]:
        subscribers = [subscribe(context, of_rank(rank)) for rank in range(2)]
        engine = subprocess.Popen(
            ["java", "-cp", CLASSPATH, "io.fpmplanner.sim.publish.ExampleEngine", address, "java-1", "2", str(STEPS)])
        for rank, subscriber in enumerate(subscribers):
            steps, heartbeats, gaps = read(subscriber, rank, time.monotonic() + 60)
            good = steps > STEPS / 4 and gaps == 0
            bad += not good
            print(f"{'good' if good else 'bad '} {of_rank(rank)}: {steps} of {STEPS} steps, {heartbeats} heartbeats, {gaps} gaps")
            subscriber.close()
        if engine.wait(timeout=30) != 0:
            sys.exit("the engine failed")
    if os.listdir(directory):
        sys.exit(f"socket files were left behind: {os.listdir(directory)}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
