# SPDX-License-Identifier: Apache-2.0
"""A publisher that shares no code with the planner: libzmq and Python's msgpack.

Sends payloads one at a time over TCP, as engines do ([empty topic, big-endian sequence, payload]), and after each asks
/v1/pools/{pool}/workers for what arrived: every value of an accepted frame, the counted reason of a refused one. When
the recorded golden payloads are beside the checkout, each of them is sent as well.
"""

import json
import os
import struct
import sys
import tempfile

import msgpack
import zmq

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402

POOL = "foreign"
GOLDEN = os.path.join(ROOT, "..", "shared", "reference", "fpm-golden.json")


def scheduled(**values):
    names = ["num_prefill_requests", "sum_prefill_tokens", "var_prefill_length", "sum_prefill_kv_tokens",
             "num_decode_requests", "sum_decode_kv_tokens", "var_decode_kv_tokens"]
    return {n: values.get(n, 0.0 if n.startswith("var") else 0) for n in names}


def queued(**values):
    return {n: v for n, v in scheduled(**values).items() if n != "sum_prefill_kv_tokens"}


def own_cases():
    """Payloads packed here: (name, bytes, expected fields or None when it must be refused)."""
    frame = {
        "version": 1, "worker_id": "python-7", "dp_rank": 2, "counter_id": 11, "wall_time": 0.0215,
        "scheduled_requests": scheduled(num_prefill_requests=2, sum_prefill_tokens=24, var_prefill_length=4.0,
                                        sum_prefill_kv_tokens=5, num_decode_requests=3, sum_decode_kv_tokens=3000,
                                        var_decode_kv_tokens=12.5),
        "queued_requests": queued(num_prefill_requests=1, sum_prefill_tokens=600),
    }
    yield "mixed step", msgpack.packb(frame), frame
    long_id = dict(frame, worker_id="w" * 300)
    yield "worker id of 300 bytes", msgpack.packb(long_id), long_id
    empty_id = dict(frame, worker_id="")
    yield "empty worker id", msgpack.packb(empty_id), empty_id
    wide = dict(frame, counter_id=2**40 + 1, wall_time=1, scheduled_requests=scheduled(
        num_prefill_requests=127, sum_prefill_tokens=65536, var_prefill_length=1e300, sum_prefill_kv_tokens=2**31,
        num_decode_requests=2**32, sum_decode_kv_tokens=2**63 - 1, var_decode_kv_tokens=5e-324))
    yield "integers of every width, extreme floats", msgpack.packb(wide), wide
    reordered = dict(reversed(list(frame.items())))
    yield "keys in reverse order", msgpack.packb(reordered), reordered
    extended = dict(frame, decode_metrics={"a": [1, {"b": None}, b"bin", True]}, zz=None)
    yield "unknown keys, nested", msgpack.packb(extended), extended
    few = {"worker_id": "few", "wall_time": 0.01, "scheduled_requests": {"num_decode_requests": 1}}
    yield "most fields missing", msgpack.packb(few), few
    yield "float in an integer field", msgpack.packb(dict(frame, counter_id=1.0)), None
    yield "nil for a field", msgpack.packb(dict(frame, wall_time=None)), None
    yield "bytes after the map", msgpack.packb(frame) + b"\x00", None
    yield "1000 nested arrays", msgpack.packb(frame)[:-1] + b"\x91" * 1000, None
    yield "text instead of a map", msgpack.packb("hello"), None
    yield "not msgpack at all", b"\xc1\xff\x00garbage", None
    yield "truncated", msgpack.packb(frame)[:100], None
    yield "negative wall time", msgpack.packb(dict(frame, wall_time=-1.0)), None
    yield "NaN wall time", msgpack.packb(dict(frame, wall_time=float("nan"))), None
    yield "oversized", msgpack.packb(dict(frame, blob=b"x" * 200_000)), None


def golden_cases():
    if not os.path.exists(GOLDEN):
        print(f"SKIPPED golden payloads: {GOLDEN} is not here")
        return
    with open(GOLDEN, encoding="utf-8") as file:
        for entry in json.load(file):
            if entry["kind"] == "payload":
                refuse = entry["name"].startswith("reject_") or entry["name"] in ("v2_future_version", "v1_nan_inf")
                yield entry["name"], bytes.fromhex(entry["hex"]), None if refuse else entry["fields"]


def counts(workers):
    """(frames accepted, frames rejected) over the whole pool."""
    accepted = sum(r["framesReceived"] for w in workers["workers"] for r in w["ranks"])
    rejected = sum(n for e in workers["endpoints"] for n in e["rejected"].values())
    return accepted, rejected


def find_rank(workers, worker_id, dp_rank):
    for worker in workers["workers"]:
        if worker["workerId"] == worker_id:
            for rank in worker["ranks"]:
                if rank["dpRank"] == dp_rank:
                    return rank
    return None


def differences(expected, shown, path=""):
    for key, value in expected.items():
        if isinstance(value, dict):
            yield from differences(value, shown.get(key) or {}, path + key + ".")
        elif shown.get(key) != value:
            yield f"{path}{key}: sent {value!r}, shown {shown.get(key)!r}"


def known_fields(fields):
    """Only what FPM defines; forks add keys that a reader must skip."""
    names = {"worker_id", "dp_rank", "counter_id", "wall_time", "timing_scope", "scheduled_requests", "queued_requests"}
    return {k: v for k, v in fields.items() if k in names}


def send(socket, sequence, payload):
    socket.send_multipart([b"", struct.pack(">Q", sequence), payload])


def main():
    # XPUB is PUB that also tells when a subscriber has arrived, so that nothing is sent too early.
    socket = zmq.Context.instance().socket(zmq.XPUB)
    engine_port = socket.bind_to_random_port("tcp://127.0.0.1")
    http_port = free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as config:
        config.write(f"""
http:
  port: {http_port}
pools:
  - id: {POOL}
    role: aggregated
    sources: ["tcp://127.0.0.1:{engine_port}"]
""")
    failures = 0
    with Planner("serve", "--config", config.name, port=http_port) as planner:
        planner.wait_ready()
        if not socket.poll(20_000) or socket.recv() != b"\x01":
            sys.exit("the planner did not subscribe to everything")
        sequence = 100
        accepted = rejected = 0
        for name, payload, expected in [*own_cases(), *golden_cases()]:
            send(socket, sequence, payload)
            sequence += 1
            total = accepted + rejected + 1
            workers = wait_for(
                lambda: (lambda w: w if w and sum(counts(w)) >= total else None)(planner.get(f"/v1/pools/{POOL}/workers")[1]),
                10, f"'{name}' to be counted", planner.process)
            accepted_now, rejected_now = counts(workers)
            problems = []
            if expected is None:
                if rejected_now != rejected + 1:
                    problems.append("was accepted")
            elif accepted_now != accepted + 1:
                problems.append("was refused: " + json.dumps([e["rejected"] for e in workers["endpoints"]]))
            else:
                rank = find_rank(workers, expected.get("worker_id", ""), expected.get("dp_rank", 0))
                if rank is None:
                    problems.append("its worker and rank are not shown")
                else:
                    problems += differences(known_fields(expected), rank["lastFrame"])
            accepted, rejected = accepted_now, rejected_now
            failures += bool(problems)
            print(f"{'bad ' if problems else 'good'} {name}: {'; '.join(problems) or ('refused' if expected is None else 'all values shown')}")
        reasons = [e["rejected"] for e in workers["endpoints"]]
        print(f"accepted {accepted}, refused {rejected}: {json.dumps(reasons)}")
        status, _ = planner.get("/livez")
        if status != 200:
            sys.exit("the planner is no longer alive")
    os.unlink(config.name)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
