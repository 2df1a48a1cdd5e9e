# SPDX-License-Identifier: Apache-2.0
"""Dynamo's side of the planner plugin, of its registry and of the virtual connector: Python's grpcio with classes made from
deploy/dynamo/planner_plugin.proto, against a planner and the demo's fleet. Exit status 77 when grpcio cannot be installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from planner_process import ROOT, Planner, free_port, wait_for  # noqa: E402

TOOLS = ("grpcio==1.71.0", "grpcio-tools==1.71.0")


def inside(generated, target, base):
    """Runs where grpcio is installed."""
    sys.path.insert(0, generated)
    import grpc
    import planner_plugin_pb2 as messages
    import planner_plugin_pb2_grpc as services

    with grpc.insecure_channel(target) as channel:
        ready = services.PluginLifecycleStub(channel).Bootstrap(messages.BootstrapRequest(hints={"a": "b"}), timeout=10)
        assert ready.ok, ready
        stub = services.ProposePluginStub(channel)
        request = messages.ProposeStageRequest(context=messages.PipelineContext(request_id="tick-1"))
        first = stub.Propose(request, timeout=10)
        assert first.WhichOneof("result") in ("accept", "override"), first
        deadline = time.time() + 120
        while stub.Propose(request, timeout=10).WhichOneof("result") != "override":
            assert time.time() < deadline, "never proposed anything"
            time.sleep(0.5)
        proposed = stub.Propose(request, timeout=10)
        targets = {t.sub_component_type: t for t in proposed.override.targets}
        assert list(targets) == ["decode"] and targets["decode"].type == messages.SET, proposed
        assert targets["decode"].replicas >= 1 and proposed.override.reason.startswith("decode: "), proposed
        assert not proposed.final
        try:
            channel.unary_unary("/dynamo.planner.plugin.v1.PredictPlugin/Predict")(b"", timeout=10)
            raise AssertionError("a stage that is not served was answered")
        except grpc.RpcError as e:
            assert e.code() == grpc.StatusCode.UNIMPLEMENTED, e
        print("PROPOSE: decode SET %d, %s" % (targets["decode"].replicas, proposed.override.reason))

    decision = json.load(urllib.request.urlopen(base + "/v1/dynamo/decision"))
    assert decision["num_decode_workers"] >= 1 and decision["scaled_decision_id"] == -1, decision
    body = json.dumps({"decision_id": decision["decision_id"]}).encode()
    done = urllib.request.Request(base + "/v1/dynamo/decision/complete", body, {"Content-Type": "application/json"})
    assert json.load(urllib.request.urlopen(done))["scaled_decision_id"] == decision["decision_id"]
    print("virtual connector: %s acknowledged" % decision)


def registry(generated, address, endpoint):
    """A registry as Dynamo's planner has it: asks for the secret, and answers until the plugin took its leave."""
    sys.path.insert(0, generated)
    import concurrent.futures
    import threading

    import grpc
    import planner_plugin_pb2 as messages
    import planner_plugin_pb2_grpc as services

    seen, left = [], threading.Event()

    class Registry(services.PluginRegistryServicer):
        def Register(self, request, context):
            seen.append("register")
            good = request.plugin_type == "propose" and request.protocol_version == "1.0" and request.endpoint == endpoint
            if request.auth_token != "s3cret" or not good:
                return messages.RegisterResponse(accepted=False, reject_reason="auth_failed")
            # The first time it is taken for what a killed run left.
            if seen.count("register") == 1:
                return messages.RegisterResponse(accepted=False, reject_reason="duplicate_plugin_id: must Unregister")
            return messages.RegisterResponse(accepted=True, negotiated_protocol_version="1.0")

        def Heartbeat(self, request, context):
            seen.append("heartbeat")
            # Once it forgot the plugin.
            return messages.HeartbeatResponse(ok=seen.count("heartbeat") != 1 and request.auth_token == "s3cret")

        def Unregister(self, request, context):
            seen.append("unregister")
            if seen.count("unregister") == 2:
                assert request.reason == "graceful_shutdown" and request.auth_token == "s3cret", request
                left.set()
            return messages.UnregisterResponse(ok=True)

    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=2))
    services.add_PluginRegistryServicer_to_server(Registry(), server)
    assert server.add_insecure_port(address)
    server.start()
    print("listening", flush=True)
    deadline = time.time() + 120
    while seen.count("heartbeat") < 2 and time.time() < deadline:
        time.sleep(0.05)
    print("registered", flush=True)
    assert left.wait(60), seen
    server.stop(None)
    assert seen[:6] == ["register", "unregister", "register", "heartbeat", "register", "heartbeat"], seen
    print("registry: " + ", ".join(seen))


def registers(python, generated, work):
    """The plugin registers, lives on and takes its leave when the planner ends."""
    address, grpc_port, port = f"127.0.0.1:{free_port()}", free_port(), free_port()
    endpoint = f"grpc://127.0.0.1:{grpc_port}"
    token = os.path.join(work, "token")
    with open(token, "w") as file:
        file.write("s3cret\n")
    dynamo = subprocess.Popen([python, os.path.abspath(__file__), generated, address, endpoint], stdout=subprocess.PIPE,
                              text=True, env=dict(os.environ, PLUGIN_INSIDE="registry"))
    try:
        assert dynamo.stdout.readline() == "listening\n"
        flags = ["http.port=%d" % port, "keda.host=127.0.0.1", "keda.port=%d" % grpc_port, "pools[0].id=chat",
                 "pools[0].sources=tcp://127.0.0.1:1", "dynamo.registry.address=" + address,
                 "dynamo.registry.endpoint=" + endpoint, "dynamo.registry.tokenFile=" + token]
        with Planner("serve", *[f for s in flags for f in ("--set", s)], port=port) as planner:
            planner.wait_ready()
            assert dynamo.stdout.readline() == "registered\n"
        print(dynamo.communicate(timeout=90)[0], end="")
        return dynamo.returncode == 0
    finally:
        dynamo.kill()


def main():
    if os.environ.get("PLUGIN_INSIDE"):
        (registry if os.environ["PLUGIN_INSIDE"] == "registry" else inside)(*sys.argv[1:4])
        return
    with tempfile.TemporaryDirectory() as work:
        environment = os.path.join(work, "venv")
        venv.create(environment, with_pip=True)
        python = os.path.join(environment, "bin", "python")
        installed = subprocess.run([python, "-m", "pip", "install", "-q", *TOOLS], capture_output=True, text=True)
        if installed.returncode != 0:
            print("could not install " + " ".join(TOOLS))
            sys.exit(77)
        proto = os.path.join(ROOT, "deploy", "dynamo")
        subprocess.run([python, "-m", "grpc_tools.protoc", "-I" + proto, "--python_out=" + work,
                        "--grpc_python_out=" + work, os.path.join(proto, "planner_plugin.proto")], check=True)
        if not registers(python, work, work):
            sys.exit(1)
        publisher_port, port, grpc_port = free_port(), free_port(), free_port()
        # The demo's engines publish on ports of its own choosing; a second planner listens to them.
        with Planner("demo", "--port", str(publisher_port), "--seconds", "600", port=publisher_port) as demo:
            demo.wait_ready()
            workers = wait_for(lambda: endpoints(demo), 60, "engines of the demo", demo.process)
            flags = ["http.port=%d" % port, "keda.host=127.0.0.1", "keda.port=%d" % grpc_port, "pools[0].id=agg",
                     "pools[0].sources=" + ",".join(workers)]
            with Planner("serve", *[f for s in flags for f in ("--set", s)], port=port) as planner:
                planner.wait_ready()
                done = subprocess.run([python, os.path.abspath(__file__), work, f"127.0.0.1:{grpc_port}", planner.base],
                                      env=dict(os.environ, PLUGIN_INSIDE="plugin"))
    sys.exit(done.returncode)


def endpoints(demo):
    status, document = demo.get("/v1/pools/agg/workers")
    if status != 200:
        return None
    document = json.loads(document) if isinstance(document, (str, bytes)) else document
    return [e["endpoint"] for e in document["endpoints"] if e["endpoint"].startswith("tcp://")] or None


if __name__ == "__main__":
    main()
