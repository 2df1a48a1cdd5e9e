# SPDX-License-Identifier: Apache-2.0
"""Relay, recording, NDJSON and HTTP, each with a peer that shares no code with the planner.

- relay: libzmq publishes, libzmq is bound on the other side; every byte of every part must come through, also after either
  side was away. Resident memory and processor time of the relay are printed and bounded.
- record and replay: what libzmq published is what the frame log holds, payload by payload; replay scores it.
- NDJSON: Python writes Dynamo's export to the socket, two writers, half lines.
- HTTP: Python posts msgpack and JSON.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

import msgpack
import zmq

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402

PLANNER = os.path.join(ROOT, "planner")
MOST_RSS_MB = 64
MOST_CPU_TIMES = 2  # of what libzmq and Python spend on sending, receiving and comparing the same messages beside it
FRAMES_PER_SECOND = 100
SECONDS = 20


def frame(counter, worker="w0", **more):
    batch = 1 + counter * 7 % 32
    tokens = batch * (500 + counter * 13 % 400)
    return dict({"version": 1, "worker_id": worker, "dp_rank": 0, "counter_id": counter,
                 "wall_time": 0.01 + 1e-4 * batch + 1e-7 * tokens,
                 "scheduled_requests": {"num_decode_requests": batch, "sum_decode_kv_tokens": tokens},
                 "queued_requests": {}}, **more)


def message(counter, **more):
    return [b"", struct.pack(">Q", counter), msgpack.packb(frame(counter, **more))]


def end(process, seconds=15):
    """SIGTERM; returns what it said."""
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=seconds)
    if process.returncode != 0:
        raise SystemExit(f"{process.args[1]} ended with status {process.returncode}: {said}")
    return said


def cost(pid):
    """Resident memory in MB and processor seconds of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        rss = next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return rss, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bind_pub(context, port=None):
    pub = context.socket(zmq.XPUB)
    pub.linger = 0
    pub.bind(f"tcp://127.0.0.1:{port or '*'}")
    return pub, int(pub.last_endpoint.decode().rsplit(":", 1)[1])


def bind_sub(context, port=None):
    sub = context.socket(zmq.SUB)
    sub.linger = 0
    sub.rcvhwm = 0
    sub.subscribe(b"")
    sub.bind(f"tcp://127.0.0.1:{port or '*'}")
    return sub, int(sub.last_endpoint.decode().rsplit(":", 1)[1])


def await_subscription(pub, seconds=60):
    if not pub.poll(seconds * 1000) or pub.recv() != b"\x01":
        raise SystemExit("nobody subscribed")


def pump(pub, sub, counter, until):
    """Publishes until what was published from some point on comes out; returns the next counter."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        sent = message(counter)
        pub.send_multipart(sent)
        counter += 1
        while sub.poll(50):
            got = sub.recv_multipart()
            if got == sent:
                return counter
            if len(got) != 3 or got[0] != b"" or got[2] != message(struct.unpack(">Q", got[1])[0])[2]:
                raise SystemExit(f"bytes were changed: {got}")
    raise SystemExit(f"nothing came through {until}")


def paced(pub, sub, counter, begin):
    """Sends for SECONDS at the pace, receives meanwhile; the next number and the numbers received."""
    first, numbers = counter, []

    def receive(until):
        while sub.poll(max(0, 1000 * (until - time.monotonic()))):
            got = sub.recv_multipart()
            numbers.append(struct.unpack(">Q", got[1])[0])
            if got != message(numbers[-1]):
                raise SystemExit(f"bytes were changed: {got}")

    while counter - first < SECONDS * FRAMES_PER_SECOND:
        pub.send_multipart(message(counter))
        counter += 1
        receive(begin + (counter - first) / FRAMES_PER_SECOND)
    receive(time.monotonic() + 1)
    return counter, numbers


def relay():
    context = zmq.Context()
    pub, pub_port = bind_pub(context)
    sub, sub_port = bind_sub(context)
    process = subprocess.Popen([PLANNER, "relay", "--from", f"tcp://127.0.0.1:{pub_port}",
                                "--to", f"tcp://127.0.0.1:{sub_port}"], stderr=subprocess.PIPE, text=True)
    await_subscription(pub)
    counter = pump(pub, sub, 0, "at the start")

    _, cpu = cost(process.pid)
    _, own_cpu = cost(os.getpid())
    begin = time.monotonic()
    first, counter, numbers = counter, *paced(pub, sub, counter, begin)
    elapsed = time.monotonic() - begin
    if numbers != list(range(first, counter)):
        raise SystemExit(f"of {counter - first} messages {len(numbers)} came through, or in another order")
    rss, cpu_end = cost(process.pid)
    share = (cpu_end - cpu) / elapsed
    own_share = (cost(os.getpid())[1] - own_cpu) / elapsed
    print(f"relay: {len(numbers)} messages at {FRAMES_PER_SECOND}/s untouched; {rss:.1f} MB resident,"
          f" {100 * share:.2f} % of a core over {elapsed:.0f} s; libzmq's sender and receiver in Python: {100 * own_share:.2f} %")

    pub.close()
    time.sleep(0.5)
    pub, _ = bind_pub(context, pub_port)
    await_subscription(pub)
    counter = pump(pub, sub, counter, "after the engine was away")
    sub.close()
    time.sleep(0.5)
    for _ in range(50):
        pub.send_multipart(message(counter))
        counter += 1
    sub, _ = bind_sub(context, sub_port)
    counter = pump(pub, sub, counter, "after the planner was away")
    said = end(process)
    print(said.strip().splitlines()[-1])
    if " received" not in said or " 0 dropped" in said.splitlines()[-1]:
        raise SystemExit(f"the counts are missing or do not tell of the loss: {said}")
    context.destroy(linger=0)
    if rss > MOST_RSS_MB or share > MOST_CPU_TIMES * own_share:
        raise SystemExit(f"at most {MOST_RSS_MB} MB and {MOST_CPU_TIMES} times libzmq's processor time are allowed")


def relay_to_planner(folder):
    """Two engines with an empty worker id on Unix sockets, found by a pattern, reach a planner as two ranks."""
    context = zmq.Context()
    port, bound = free_port(), free_port()
    config = os.path.join(folder, "bound.yaml")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"http": {"port": port}, "tickSeconds": 0.2,
                   "pools": [{"id": "far", "sources": [f"tcp+bind://127.0.0.1:{bound}"]}]}, file)
    pubs = []

    def publisher(rank):
        pub = context.socket(zmq.XPUB)
        pub.linger = 0
        pub.bind(f"ipc://{folder}/engine.{rank}")
        pubs.append(pub)

    publisher(0)
    with Planner("serve", "--config", config, port=port) as planner:
        planner.wait_ready()
        relay = subprocess.Popen([PLANNER, "relay", "--from", f"ipc://{folder}/engine.*", "--to", f"tcp://127.0.0.1:{bound}"],
                                 stderr=subprocess.PIPE, text=True)
        await_subscription(pubs[0])
        publisher(1)  # comes later
        await_subscription(pubs[1])
        counter = 0

        def two_ranks():
            nonlocal counter
            for pub in pubs:
                pub.send_multipart(message(counter, worker=""))
            counter += 1
            document = planner.get("/v1/pools/far/workers")[1]
            ranks = [r for w in document["workers"] for r in w["ranks"]]
            return len(ranks) == 2 and all(r["framesReceived"] >= 20 and r["framesLost"] == 0 for r in ranks)

        wait_for(two_ranks, 60, "two relayed ranks", planner.process)
        print("relay: two ipc publishers of an empty worker id are two ranks;", end(relay).strip().splitlines()[-1])
    context.destroy(linger=0)


def record(folder):
    context = zmq.Context()
    pub, port = bind_pub(context)
    log = os.path.join(folder, "live.fpmlog")
    process = subprocess.Popen([PLANNER, "record", "--out", log, "--source", f"tcp://127.0.0.1:{port}"],
                               stderr=subprocess.PIPE, text=True)
    await_subscription(pub)
    sent = []
    for counter in range(600):
        sent.append(message(counter, odd={"kept": [1, None]}))
        pub.send_multipart(sent[-1])
        time.sleep(0.002)
    wait_for(lambda: len(list(frame_log(log))) == len(sent), 30, "all messages to be in the log")
    said = end(process)
    got = list(frame_log(log))
    if [(s, p) for _, s, p in got] != [(struct.unpack(">Q", m[1])[0], m[2]) for m in sent]:
        raise SystemExit(f"{len(sent)} messages were sent, {len(got)} recorded, and they differ: {said}")
    times = [t for t, _, _ in got]
    if times != sorted(times) or abs(times[-1] / 1e9 - time.time()) > 120:
        raise SystemExit("the times of the log are not those of the clock")
    print("record:", said.strip().splitlines()[-1])

    def replay(*arguments):
        begin = time.monotonic()
        result = subprocess.run([PLANNER, "replay", "--json", *arguments], capture_output=True, text=True, check=True)
        return time.monotonic() - begin, json.loads(result.stdout)["recordings"][0]

    fast, score = replay(log)
    slow, again = replay("--speed", "0.5x", log)
    span = (times[-1] - times[0]) / 1e9
    for figures in (score, again):
        figures.pop("microsPerFrame")
    if score != again or score["frames"] != 600 or score["mape"] > 0.02:
        raise SystemExit(f"replays differ or are wrong: {score} {again}")
    if slow < 2 * span:
        raise SystemExit(f"at half the speed {span:.1f} s were replayed in {slow:.1f} s")
    print(f"replay: 600 steps, MAPE {score['mape']:.2%}; {fast:.1f} s at full speed, {slow:.1f} s at half the original")
    subprocess.run(["gzip", "-k", log], check=True)
    with open(log, "rb") as whole, open(log + ".torn", "wb") as torn:
        torn.write(whole.read()[:-100])
    result = subprocess.run([PLANNER, "replay", log + ".gz", log + ".torn"], capture_output=True, text=True, check=True)
    if "600 steps of 600 frames\n" not in result.stderr or "599 steps of 599 frames, the end is torn off" not in result.stderr:
        raise SystemExit(f"compressed or torn logs are not read: {result.stderr}")
    context.destroy(linger=0)


def frame_log(path):
    """An independent reader of the log: (received ns, sequence, payload) of each message."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:12] != b"\x89FPMLOG\n\x00\x00\x00\x01":
        raise SystemExit("the log has another header")
    at = 12
    while at < len(data):
        mark, length, _ = struct.unpack_from(">BII", data, at)
        body = data[at + 9:at + 9 + length]
        if mark != 0xF7:
            raise SystemExit(f"no record at {at}")
        if body[0] == 3:
            received, sequence, _ = struct.unpack_from(">qqI", body, 1)
            yield received, sequence, body[21:]
        at += 9 + length


def service(folder):
    path = os.path.join(folder, "fpm.sock")
    port = free_port()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(path)  # and the file stays behind
    config = os.path.join(folder, "planner.yaml")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"http": {"port": port}, "tickSeconds": 0.2,
                   "pools": [{"id": "dynamo", "sources": [f"ndjson+unix://{path}"]},
                             {"id": "web", "sources": ["http"]}]}, file)
    with Planner("serve", "--config", config, port=port) as planner:
        planner.wait_ready()

        def ranks(pool):
            document = planner.get(f"/v1/pools/{pool}/workers")[1]
            return {(w["workerId"], r["endpoint"]): r for w in document["workers"] for r in w["ranks"]}

        with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
            one.connect(path)
            two.connect(path)
            for counter in range(100):
                for writer, publisher in ((one, 17), (two, 18)):
                    line = json.dumps({"namespace": "n", "component": "c", "publisher_id": publisher,
                                       "sequence": counter, "published_at_ms": 1, "metrics": frame(counter, "same")})
                    writer.sendall(line.encode()[:40])
                    writer.sendall(line.encode()[40:] + b"\n")
            one.sendall(b"not json\n" + b"x" * 100_000 + b"\n")
            def arrived():
                document = planner.get("/v1/pools/dynamo/workers")[1]
                counts = [r["framesReceived"] for w in document["workers"] for r in w["ranks"]]
                return counts == [100, 100] and document["endpoints"][0]["rejected"] == {"NOT_JSON": 1, "TOO_LARGE": 1}
            wait_for(arrived, 30, "two publishers of one worker id to be two ranks", planner.process)
        print("NDJSON: two writers, 200 frames, two lines refused; mode", oct(os.stat(path).st_mode & 0o777))

        def post(query, body, kind):
            request = urllib.request.Request(f"{planner.base}{query}", body, {"Content-Type": kind})
            with urllib.request.urlopen(request, timeout=5) as response:
                return json.loads(response.read())

        payloads = [frame(counter, "posted") for counter in range(300)]
        answers = [post("/v1/pools/web/frames?endpoint=a", msgpack.packb(payloads[:100]), "application/msgpack"),
                   post("/v1/frames?pool=web&endpoint=a", json.dumps(payloads[100:200]).encode(), "application/json"),
                   post("/v1/frames?endpoint=a", "\n".join(json.dumps(f) for f in payloads[200:]).encode(),
                        "application/x-ndjson")]
        if any(a != {"accepted": 100, "rejected": 0, "reasons": {}, "firstRejected": None} for a in answers):
            raise SystemExit(f"frames were refused: {answers}")
        wait_for(lambda: ranks("web").get(("posted", "http://a"), {}).get("framesReceived") == 300, 30,
                 "the posted frames", planner.process)
        print("HTTP: 300 frames as msgpack, JSON and NDJSON")
    if os.path.exists(path):
        raise SystemExit("the socket's file was left behind")


def main():
    relay()
    with tempfile.TemporaryDirectory() as folder:
        relay_to_planner(folder)
        record(folder)
        service(folder)


if __name__ == "__main__":
    main()
