# SPDX-License-Identifier: Apache-2.0
"""Checks the counts of `planner bench --smoke --json`: every row is there, frames came, none was lost."""
import json
import sys

ROWS = {"path", "endpoint", "jeromq", "tcp", "ipc", "dead", "rest", "fleet", "memory", "start"}

with open(sys.argv[1], encoding="utf-8") as file:
    rows = {row["row"]: row["figures"] for row in json.load(file)["rows"]}

faults = [f"row {name} is missing" for name in sorted(ROWS - rows.keys())]
for name, figures in rows.items():
    for figure, value in figures.items():
        if figure.split(", ")[-1] in ("lost", "errors") and value != 0:
            faults.append(f"{name}: {figure} is {value}")
    if figures.get("sent", 1) <= 0 or figures.get("ranks", 1) <= 0:
        faults.append(f"{name}: nothing came")
if not any("with archive" in figure for figure in rows.get("start", {})):
    faults.append("start: no archive could be used")
print("\n".join(faults) or f"{len(rows)} rows, {int(rows['endpoint']['sent'])} frames to one endpoint, none lost")
sys.exit(1 if faults else 0)
