# SPDX-License-Identifier: Apache-2.0
"""KvMetrics and LoadStat as SGLang sends them: CPython's pickle of every protocol, Python's msgpack, libzmq's PUSH and PUB.

The class is made here under SGLang's module names. A pickle that would call something, and other things that are no
report, must be refused and counted, and must do nothing.
"""

import os
import pickle
import struct
import sys
import tempfile
import types

import msgpack
import zmq

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import Planner, free_port, wait_for  # noqa: E402

POOL = "kv"
FIELDS = ["request_active_slots", "request_total_slots", "kv_active_blocks", "kv_total_blocks", "num_requests_waiting",
          "gpu_cache_usage_perc", "gpu_prefix_cache_hit_rate", "data_parallel_rank"]
MODULES = ["sglang.srt.managers.scheduler", "sglang.srt.managers.scheduler_metrics_mixin",
           "sglang.srt.observability.scheduler_metrics_mixin",
           "sglang.srt.managers.scheduler_components.kv_events_publisher"]


def kv_metrics_class(path):
    """A plain class KvMetrics in a module of that name, so that pickle finds it."""
    for i in range(1, path.count(".") + 2):
        name = ".".join(path.split(".")[:i])
        sys.modules.setdefault(name, types.ModuleType(name))
    made = type("KvMetrics", (), {"__module__": path})
    sys.modules[path].KvMetrics = made
    return made


def instance(made, values):
    metrics = made()
    metrics.__dict__.update(zip(FIELDS, values))
    return metrics


class Calls:
    def __init__(self, function, *arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


def main():
    marker = os.path.join(tempfile.mkdtemp(), "called")
    context = zmq.Context.instance()
    engine = context.socket(zmq.XPUB)
    engine_port = engine.bind_to_random_port("tcp://127.0.0.1")
    load = context.socket(zmq.XPUB)
    load_port = load.bind_to_random_port("tcp://127.0.0.1")
    push_port, http_port = free_port(), free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as config:
        config.write(f"""
http:
  port: {http_port}
pools:
  - id: {POOL}
    sources:
      - tcp://127.0.0.1:{engine_port}
      - kv+tcp+bind://127.0.0.1:{push_port}
      - kv+tcp://127.0.0.1:{load_port}
""")
    failures = []
    with Planner("serve", "--config", config.name, port=http_port) as planner:
        planner.wait_ready()
        if not engine.poll(20_000) or not load.poll(20_000):
            sys.exit("the planner did not subscribe")
        engine.send_multipart([b"", struct.pack(">Q", 0), msgpack.packb({"worker_id": "sglang", "wall_time": 0.01})])
        push = context.socket(zmq.PUSH)
        push.connect(f"tcp://127.0.0.1:{push_port}")

        def workers():
            return planner.get(f"/v1/pools/{POOL}/workers")[1]

        def refused():
            return sum(n for e in workers()["endpoints"] for n in e["rejected"].values())

        def kv():
            found = workers()["workers"]
            return found and found[0]["ranks"][0]["kv"] or {}

        wait_for(lambda: workers()["workers"], 20, "the frame to be shown", planner.process)
        used = 1000
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            for path in MODULES:
                used += 1
                values = [12, 256, used, 2**31 + used, 3, used / 500_000, 0.5, 0]
                push.send(pickle.dumps(instance(kv_metrics_class(path), values), protocol))
                wait_for(lambda: kv().get("usedTokens") == used, 10, f"{path}, pickle protocol {protocol}", planner.process)
                if kv()["capacityTokens"] != 2**31 + used or kv()["usedShare"] != used / 500_000:
                    failures.append(f"{path} protocol {protocol}: {kv()}")
        print(f"good {used - 1000} pickles of {len(MODULES)} module names, protocols 2 to {pickle.HIGHEST_PROTOCOL}")
        push.send(msgpack.packb(["KvMetrics", 12, 256, 777, 500_000, None, 0.25, 0.5, 0]))
        wait_for(lambda: kv().get("usedTokens") == 777, 10, "the msgpack array", planner.process)
        if kv()["waitingRequests"] is not None or kv()["prefixHitShare"] != 0.5:
            failures.append(f"msgpack array: {kv()}")
        print("good msgpack array with a nil")

        refusals = [
            ("os.system by reduce", pickle.dumps(Calls(os.system, f"touch {marker}"))),
            ("eval by reduce", pickle.dumps(Calls(eval, f"open({marker!r}, 'w')"))),
            ("os.system, protocol 2", pickle.dumps(Calls(os.system, f"touch {marker}"), 2)),
            ("text protocol 0", pickle.dumps(Calls(os.system, f"touch {marker}"), 0)),
            ("another class of SGLang", pickle.dumps(Exception("no"))),
            ("a call inside a KvMetrics", pickle.dumps(instance(
                kv_metrics_class(MODULES[0]), [Calls(os.system, f"touch {marker}"), 1, 2, 3, 4, 0.1, 0.2, 0]))),
            ("a number", pickle.dumps(5)),
            ("a negative count", pickle.dumps(instance(kv_metrics_class(MODULES[0]), [-1, 1, 2, 3, 4, 0.1, 0.2, 0]))),
            ("NaN", pickle.dumps(instance(kv_metrics_class(MODULES[0]), [1, 1, 2, 3, 4, float("nan"), 0.2, 0]))),
            ("another tag", msgpack.packb(["Other", 1])),
            ("an empty message", b""),
            ("bytes after the end", msgpack.packb(["KvMetrics", 1]) + b"\0"),
        ]
        for name, message in refusals:
            before = refused()
            push.send(message)
            wait_for(lambda: refused() == before + 1, 10, f"'{name}' to be refused", planner.process)
        if kv()["usedTokens"] != 777:
            failures.append(f"a refused message changed what is shown: {kv()}")
        if os.path.exists(marker):
            failures.append("A PICKLE WAS RUN")
        print(f"good {len(refusals)} messages refused, nothing run")

        load.send_multipart([b"load", struct.pack(">Q", 0), msgpack.packb(["LoadStat", 7, 9, 4321, 500_000, None])])
        wait_for(lambda: kv().get("usedTokens") == 4321, 10, "LoadStat", planner.process)
        if kv()["runningRequests"] != 7 or kv()["waitingRequests"] != 9:
            failures.append(f"LoadStat: {kv()}")
        print("good LoadStat over PUB")
        _, pool = planner.get(f"/v1/pools/{POOL}")
        if pool["settings"]["engine"]["kvCapacityTokens"] != 500_000:
            failures.append(f"capacity in force: {pool['settings']['engine']}")
        print("good reported capacity is used where none is configured")
    os.unlink(config.name)
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
