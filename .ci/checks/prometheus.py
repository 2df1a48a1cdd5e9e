# SPDX-License-Identifier: Apache-2.0
"""promtool on what /metrics exposes and on the rules, then a real Prometheus that scrapes the demo and answers every query of
the Grafana board and of the rules.

Exit status 77 with the reason when promtool or prometheus is not here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402

RULES = os.path.join(ROOT, "deploy/prometheus/rules.yaml")
BOARD = os.path.join(ROOT, "deploy/grafana/fpm-planner.json")
SCRAPES = 12
# Empty while all is well, or where the demo has none.
MAY_BE_EMPTY = ("fpm_planner_frames_rejected_total",)
RENAMED = re.compile(r"\b((?:fpm_planner|jvm|process)_[a-z0-9_]+)")
failures = []


def bad(text):
    failures.append(text)
    print("bad: " + text)


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read().decode()


def spec_of_the_object():
    """What stands below spec: of the PrometheusRule, without a YAML library."""
    with open(os.path.join(ROOT, "deploy/kubernetes/monitoring/prometheusrule.yaml")) as file:
        lines = file.read().split("\nspec:\n", 1)[1].splitlines()
    return "\n".join(line[2:] for line in lines) + "\n"


def promtool(*arguments, given=None):
    done = subprocess.run(["promtool", *arguments], input=given, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def queries():
    with open(BOARD) as file:
        board = json.load(file)
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    for annotation in board["annotations"]["list"]:
        yield annotation["name"], annotation["expr"]


def may_be_empty(query):
    return any(name in query for name in MAY_BE_EMPTY) or "> 0" in query


def concrete(query):
    return query.replace("$pool", ".*").replace("$job", ".*").replace("$__rate_interval", "30s")


def ask(base, query):
    answer = json.loads(fetch(f"{base}/api/v1/query?" + urllib.parse.urlencode({"query": query})))
    if answer["status"] != "success":
        bad(f"{query}: {answer}")
        return []
    return answer["data"]["result"]


def main():
    if shutil.which("promtool") is None or shutil.which("prometheus") is None:
        print("promtool and prometheus are not both here")
        sys.exit(77)
    for arguments in (("check", "rules", RULES), ("test", "rules", RULES.replace(".yaml", "_test.yaml"))):
        status, out = promtool(*arguments)
        print(out.strip())
        if status != 0:
            bad("promtool " + " ".join(arguments))
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as rules:
        rules.write(spec_of_the_object())
        rules.flush()
        status, out = promtool("check", "rules", rules.name)
        if status != 0:
            bad("promtool check rules of the PrometheusRule: " + out)
    port, web = free_port(), free_port()
    with tempfile.TemporaryDirectory() as work, Planner("demo", "--port", str(port), "--seconds", "300", port=port) as planner:
        planner.wait_ready()
        wait_for(lambda: planner.get("/v1/pools/agg/desired-replicas")[0] == 200, 120, "a decision", planner.process)
        exposition = fetch(planner.base + "/metrics")
        ours = "\n".join(
            line for line in exposition.splitlines() if re.match(r"(# (HELP|TYPE) )?fpm_planner_", line)) + "\n"
        status, out = promtool("check", "metrics", given=ours)
        print(f"promtool check metrics: {status} {out.strip()}")
        if status != 0:
            bad("promtool check metrics: " + out)
        config = os.path.join(work, "prometheus.yml")
        with open(config, "w") as file:
            json.dump({
                "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                "rule_files": [RULES],
                "scrape_configs": [{"job_name": "fpm-planner", "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]}],
            }, file)
        base = f"http://127.0.0.1:{web}"
        with open(os.path.join(work, "log"), "w") as log:
            server = subprocess.Popen(
                ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={work}/data",
                 f"--web.listen-address=127.0.0.1:{web}"], stdout=log, stderr=log)
        try:
            def scraped():
                try:
                    return len(ask(base, f"count_over_time(up[1m]) >= {SCRAPES}")) == 1
                except OSError:
                    return False
            wait_for(scraped, 120, f"{SCRAPES} scrapes", server)
            if not ask(base, 'up{job="fpm-planner"} == 1'):
                bad("the scrape failed: " + fetch(base + "/api/v1/targets"))
            asked = unnoticed = 0
            for title, query in queries():
                asked += 1
                if not ask(base, concrete(query)) and not may_be_empty(query):
                    bad(f"{title}: nothing for {query}")
                # A board that asks for what was renamed is what this is to find.
                if not may_be_empty(query) and ask(base, concrete(RENAMED.sub(r"\1_renamed", query))):
                    unnoticed += 1
                    bad(f"{title}: would be answered whatever its metric is called: {query}")
            for group in json.loads(fetch(base + "/api/v1/rules"))["data"]["groups"]:
                for rule in group["rules"]:
                    if rule["health"] != "ok" or rule.get("lastError"):
                        bad(f"rule {rule['name']}: {rule}")
            print(f"{asked} queries answered; none that would be by another name ({unnoticed})")
        finally:
            server.terminate()
            server.wait(timeout=20)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
