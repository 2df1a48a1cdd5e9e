# SPDX-License-Identifier: Apache-2.0
"""The live page in Debian's Chromium, by Playwright: beside the demo, over a restart, and with 50 pools of 40 workers.

Usage: run.py [DIRECTORY for the screenshots]. Exit status 77 when Node, Chromium or the two npm packages are not to be had.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from planner_process import ROOT, free_port  # noqa: E402


def missing(reason):
    print(reason)
    sys.exit(77)


def chromium():
    found = shutil.which("chromium")
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
                       env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, **quiet)
        found = shutil.which("chromium")
    return found


def main():
    if shutil.which("node") is None or shutil.which("npm") is None:
        missing("Node and npm are not here")
    browser = chromium() or missing("Chromium is not here and could not be installed")
    with tempfile.TemporaryDirectory() as work:
        for name in os.listdir(HERE):
            if name.endswith((".mjs", ".json")):
                shutil.copy(os.path.join(HERE, name), work)
        installed = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=work,
                                   capture_output=True, text=True)
        if installed.returncode != 0:
            missing("playwright-core and axe-core could not be installed: " + installed.stderr[-300:].replace("\n", " "))
        pictures = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(work, "pictures")
        os.makedirs(pictures, exist_ok=True)
        ports = [str(free_port()), str(free_port())]
        status = subprocess.run(["node", "dashboard.mjs", os.path.join(ROOT, "planner"), browser, pictures, *ports], cwd=work).returncode
    sys.exit(status)


if __name__ == "__main__":
    main()
