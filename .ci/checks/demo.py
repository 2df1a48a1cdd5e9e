# SPDX-License-Identifier: Apache-2.0
"""Runs `./planner demo` for one cycle of its load and watches it from outside, over REST, as an operator would.

Fails when a recommendation does not go up and come down again, when an endpoint does not answer, or when the planner's
predictions lie more than 25 % from the medians that the simulated engines then showed.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import Planner, free_port  # noqa: E402

SECONDS = 150
MOST_DEVIATION = 0.25


def main():
    port = free_port()
    seen = {}
    failures = []
    with Planner("demo", "--port", str(port), "--seconds", str(SECONDS + 30), port=port) as planner:
        started = time.monotonic()
        planner.wait_ready()
        print(f"ready after {time.monotonic() - started:.2f} s")
        demo = None
        while time.monotonic() - started < SECONDS and planner.process.poll() is None:
            status, pools = planner.get("/v1/pools")
            if status == 200:
                for pool in pools["pools"]:
                    if pool["desiredReplicas"] is not None:
                        seen.setdefault(pool["id"], []).append(pool["desiredReplicas"])
            answer = planner.get("/v1/demo")
            demo = answer[1] if answer[0] == 200 else demo
            time.sleep(1)
        for pool in seen:
            for path in ("", "/recommendation", "/workers", "/model"):
                status, _ = planner.get(f"/v1/pools/{pool}{path}")
                if status != 200:
                    failures.append(f"GET /v1/pools/{pool}{path} answered {status}")
            status, answer = planner.post(f"/v1/pools/{pool}/predictions", {"inputTokens": 1000})
            print(f"prediction of 1000 tokens on {pool}: {status} {answer}")
            if status != 200:
                failures.append(f"POST /v1/pools/{pool}/predictions answered {status}")
    for pool, desired in sorted(seen.items()):
        peak = desired.index(max(desired))
        rose, fell = max(desired) - min(desired[: peak + 1]), max(desired) - min(desired[peak:])
        print(f"{pool}: desired replicas {desired[0]} -> {max(desired)} -> {desired[-1]}")
        if rose < 1 or fell < 1:
            failures.append(f"{pool}: desired did not go up and come down again: {desired}")
    if len(seen) < 3:
        failures.append(f"expected three pools, saw {sorted(seen)}")
    for pool in (demo or {}).get("pools", []):
        for name, comparison in pool.get("comparison", {}).items():
            print(f"{pool['id']} {name}: predicted {comparison['predictedP50Seconds']:.4f} s, "
                  f"measured {comparison['measuredP50Seconds']:.4f} s, off by {comparison['deviation']:.1%}")
            if abs(comparison["deviation"]) > MOST_DEVIATION:
                failures.append(f"{pool['id']} {name} is off by {comparison['deviation']:.1%}")
    if not demo:
        failures.append("/v1/demo gave no comparison")
    for failure in failures:
        print("bad: " + failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
