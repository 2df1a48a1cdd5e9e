# SPDX-License-Identifier: Apache-2.0
"""Every kubectl that is here against a running planner: in the clear against the demo, and over TLS with client certificates.

Exit status 77 with the reason when there is no kubectl or no openssl.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402

API = "/apis/external.metrics.k8s.io/v1beta1"
failures = []


def kubectls():
    """The kubectl on the PATH and, where a dispatcher chooses among several, each of those."""
    found = [shutil.which("kubectl")] if shutil.which("kubectl") else []
    for binary in glob.glob("/usr/lib/google-cloud-sdk/bin/kubectl.1.*"):
        found.append(binary)
    return sorted(set(found))


def run(binary, home, *arguments):
    # A home of its own: kubectl caches what it discovers by host and port.
    environment = dict(os.environ, HOME=home, KUBECONFIG="/dev/null")
    done = subprocess.run([binary, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def expect(what, holds, seen):
    if not holds:
        failures.append(what)
        print(f"bad: {what}; saw {seen}")


def in_the_clear(binary, home, port):
    server = ("--server", f"http://127.0.0.1:{port}")
    status, out, _ = run(binary, home, *server, "get", "--raw", API)
    expect("discovery", status == 0 and '"APIResourceList"' in out, out)
    status, out, _ = run(
        binary, home, *server, "get", "--raw", API + "/namespaces/llm/llm_desired_replicas?labelSelector=pool%3Dagg")
    expect("a value", status == 0 and '"metricLabels"' in out and '"value"' in out, out)
    for metric, column in (
        ("llm_desired_replicas", "VALUE"),
        ("llm_predicted_ttft_seconds", "PERCENTILE"),
        ("llm_backlog_seconds", "VALUE"),
    ):
        status, out, err = run(binary, home, *server, "get", metric, "-n", "llm")
        expect(f"get {metric}", status == 0 and "agg" in out and "decode" in out and column in out, out + err)
        if metric == "llm_desired_replicas":
            print(out, end="")
            values = [line.split()[2] for line in out.splitlines()[1:]]
            expect("replicas are whole numbers", all(v.isdigit() or v == "<unknown>" for v in values), out)
    status, out, err = run(binary, home, *server, "get", "--raw", API + "/namespaces/llm/llm_desired_replicas")
    expect("several pools are refused by name", status != 0 and "pools match" in err and "agg" in err, out + err)
    status, out, err = run(binary, home, *server, "get", "--raw", API + "/namespaces/llm/llm_nothing")
    expect("an unknown metric", status != 0 and "could not find the metric llm_nothing" in err, err)
    status, out, err = run(binary, home, *server, "get", "llm_desired_replicas", "-n", "llm", "-l", "pool in x")
    expect("a bad selector", status != 0 and "found 'x'" in err, err)


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def client_certificate(directory, authority, name):
    """A key and a certificate for clients, signed by an authority made with it."""
    path = lambda suffix: os.path.join(directory, name + suffix)  # noqa: E731
    ca = os.path.join(directory, authority)
    if not os.path.exists(ca + ".crt"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", f"/CN={authority}", "-keyout", ca + ".key", "-out", ca + ".crt")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
            "-keyout", path(".key"), "-out", path(".csr"))
    with open(path(".ext"), "w") as extensions:
        extensions.write("extendedKeyUsage=clientAuth\n")
    openssl("x509", "-req", "-in", path(".csr"), "-CA", ca + ".crt", "-CAkey", ca + ".key", "-CAcreateserial",
            "-days", "2", "-extfile", path(".ext"), "-out", path(".crt"))


def over_tls(binary, home, directory, port):
    server = ("--server", f"https://127.0.0.1:{port}", "--tls-server-name", "planner.llm.svc",
              "--certificate-authority", os.path.join(directory, "serving", "ca.crt"))

    def identity(name):
        return ("--client-certificate", os.path.join(directory, name + ".crt"),
                "--client-key", os.path.join(directory, name + ".key"))

    status, out, err = run(binary, home, *server, *identity("admin"), "get", "--raw", API)
    expect("a user of the cluster is served over TLS", status == 0 and '"APIResourceList"' in out, out + err)
    status, out, err = run(
        binary, home, *server, *identity("admin"), "get", "--raw", API + "/namespaces/llm/llm_desired_replicas")
    expect("a cold pool is an error that says why", status != 0 and "NO_DATA" in err, out + err)
    status, out, err = run(binary, home, *server, *identity("admin"), "get", "llm_desired_replicas", "-n", "llm")
    expect("a cold pool in the table", status == 0 and "<unknown>" in out, out + err)
    status, out, err = run(binary, home, *server, *identity("stranger"), "get", "--raw", API)
    expect("a certificate of a stranger is refused", status != 0 and "nauthorized" in err, out + err)
    status, out, err = run(binary, home, *server, "get", "--raw", API)
    expect("no certificate is refused", status != 0, out + err)


def main():
    binaries = kubectls()
    if not binaries:
        print("no kubectl is here")
        sys.exit(77)
    port = free_port()
    with Planner("demo", "--port", str(port), "--seconds", "300", port=port) as planner:
        planner.wait_ready()
        wait_for(lambda: planner.get("/v1/pools/agg/desired-replicas")[0] == 200, 120, "a decision", planner.process)
        for binary in binaries:
            with tempfile.TemporaryDirectory() as home:
                print(f"--- {binary} in the clear")
                in_the_clear(binary, home, port)
    if shutil.which("openssl") is None:
        print("no openssl for the check over TLS")
        sys.exit(1 if failures else 77)
    with tempfile.TemporaryDirectory() as directory:
        serving = os.path.join(directory, "serving")
        shutil.copytree(os.path.join(ROOT, "deploy/kubernetes/certificates/self-signed"), serving)
        subprocess.run([os.path.join(serving, "make.sh")], check=True, capture_output=True)
        client_certificate(directory, "cluster-ca", "admin")
        client_certificate(directory, "other-ca", "stranger")
        http, tls = free_port(), free_port()
        settings = {
            "http.port": http,
            "pools[0].id": "chat",
            "pools[0].sources": "tcp://127.0.0.1:1",
            "externalMetrics.host": "127.0.0.1",
            "externalMetrics.port": tls,
            "externalMetrics.tls.certificateFile": os.path.join(serving, "tls.crt"),
            "externalMetrics.tls.privateKeyFile": os.path.join(serving, "tls.key"),
            "externalMetrics.clients.trust": "files",
            "externalMetrics.clients.clientCaFile": os.path.join(directory, "cluster-ca.crt"),
        }
        flags = [flag for key, value in settings.items() for flag in ("--set", f"{key}={value}")]
        with Planner("serve", *flags, port=http) as planner:
            planner.wait_ready()
            for binary in binaries:
                with tempfile.TemporaryDirectory() as home:
                    print(f"--- {binary} over TLS")
                    over_tls(binary, home, directory, tls)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
