# SPDX-License-Identifier: Apache-2.0
"""Checks the document of `planner replay --json`: fields, and the median error over the recordings."""

import json
import statistics
import sys

MOST_MEDIAN_MAPE = 0.06

with open(sys.argv[1], encoding="utf-8") as file:
    recordings = json.load(file)["recordings"]
if not recordings:
    sys.exit("no recordings in the document")
for r in recordings:
    name = r["file"].rsplit("/", 1)[-1]
    print(
        f"{name[:60]:60} frames {r['frames']:6} MAPE {r['mape']:7.2%} p50 {r['p50']:7.2%} p90 {r['p90']:7.2%} "
        f"p99 {r['p99']:8.2%} coverage90 {r['coverage90']:6.1%} {r['microsPerFrame']:6.2f} us/frame"
    )
    if not 0 <= r["coverage90"] <= 1 or not r["regimes"]:
        sys.exit(f"{name}: coverage or regimes missing")
median = statistics.median(r["mape"] for r in recordings)
print(f"median MAPE over {len(recordings)} recordings: {median:.2%} (at most {MOST_MEDIAN_MAPE:.0%})")
sys.exit(0 if median <= MOST_MEDIAN_MAPE else 1)
