# SPDX-License-Identifier: Apache-2.0
"""Clients that users have, against a running planner: fabric8 and the official client for Java, or Kubernetes' and gRPC's
clients for Node. Exit status 77 when they cannot be installed.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402


def java(server, work):
    project = os.path.join(work, "java")
    shutil.copytree(os.path.join(HERE, "java"), project)
    resolved = subprocess.run(["mvn", "-q", "-B", "-ntp", "compile"], cwd=project, capture_output=True, text=True)
    if resolved.returncode != 0:
        print("Java clients: could not be built here: " + resolved.stdout[-500:])
        return None
    return subprocess.run(["mvn", "-q", "-B", "-ntp", "exec:java", f"-Dexec.args={server}"], cwd=project).returncode == 0


def node(server, scaler, work):
    if shutil.which("npm") is None:
        print("Node clients: no npm is here")
        return None
    project = os.path.join(work, "node")
    os.mkdir(project)
    for name in ("package.json", "clients.mjs"):
        shutil.copy(os.path.join(HERE, name), project)
    installed = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=project, capture_output=True, text=True)
    if installed.returncode != 0:
        print("Node clients: could not be installed here: " + installed.stderr[-500:])
        return None
    proto = os.path.join(ROOT, "deploy/kubernetes/keda/externalscaler.proto")
    return subprocess.run(["node", "clients.mjs", server, scaler, proto], cwd=project).returncode == 0


def main():
    """Argument: java or node, whose clients are to be run."""
    demo_port, serve_port, scaler_port = free_port(), free_port(), free_port()
    settings = ["http.port=%d" % serve_port, "keda.host=127.0.0.1", "keda.port=%d" % scaler_port,
                "pools[0].id=chat", "pools[0].sources=tcp://127.0.0.1:1"]
    flags = [flag for setting in settings for flag in ("--set", setting)]
    with tempfile.TemporaryDirectory() as work, \
            Planner("demo", "--port", str(demo_port), "--seconds", "600", port=demo_port) as demo, \
            Planner("serve", *flags, port=serve_port) as cold:
        demo.wait_ready()
        cold.wait_ready()
        wait_for(lambda: demo.get("/v1/pools/agg/desired-replicas")[0] == 200, 120, "a decision", demo.process)
        passed = java(demo.base, work) if sys.argv[1] == "java" else node(demo.base, f"127.0.0.1:{scaler_port}", work)
    if passed is None:
        print(f"the clients for {sys.argv[1]} could not be installed")
        sys.exit(77)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
