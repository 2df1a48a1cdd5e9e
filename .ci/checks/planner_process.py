# SPDX-License-Identifier: Apache-2.0
"""Starts ./planner for a check and talks to it over HTTP. Standard library only."""

import json
import os
import random
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


# Below the ports that Linux gives to outgoing connections (32768 on): a port that is to be free or dead for a while is
# then neither taken by one, nor does a connection to it that is tried again and again meet itself.
PORTS = iter(random.sample(range(20_000, 32_000), 4_000))


def free_port():
    """A port nobody listens on; never the same one twice."""
    for port in PORTS:
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError("no port is free")


class Planner:
    """A running planner; a context manager that ends it with SIGTERM and checks that it ends cleanly."""

    def __init__(self, *arguments, port):
        self.base = f"http://127.0.0.1:{port}"
        self.arguments = arguments

    def __enter__(self):
        self.process = subprocess.Popen([os.path.join(ROOT, "planner"), *self.arguments])
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=10)
        if status not in (0, 143):
            raise SystemExit(f"the planner ended with status {status}")

    def get(self, path):
        """Returns (status, parsed JSON or None)."""
        return self._call(urllib.request.Request(self.base + path))

    def post(self, path, body):
        data = json.dumps(body).encode()
        return self._call(urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}))

    def _call(self, request):
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                return response.status, _parse(response.read())
        except urllib.error.HTTPError as error:
            return error.code, _parse(error.read())
        except OSError:
            return 0, None

    def wait_ready(self, seconds=120):
        wait_for(lambda: self.get("/readyz")[0] == 200, seconds, "the planner to become ready", self.process)


def _parse(body):
    try:
        return json.loads(body)
    except ValueError:
        return None


def wait_for(condition, seconds, what, process=None):
    """Polls until the condition is truthy and returns its value; ends the check when the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        if process is not None and process.poll() is not None:
            raise SystemExit(f"the planner ended with status {process.returncode} while waiting for {what}")
        time.sleep(0.05)
    raise SystemExit(f"gave up after {seconds} s waiting for {what}")
