# SPDX-License-Identifier: Apache-2.0
"""Builds everything under deploy/kubernetes with kubectl kustomize and checks it.

What Kubernetes itself defines is validated against its schemas (kubernetes-validate from PyPI, installed beside the check).
Cross-references are checked here: names, ports and the pool that a scaler asks for. Exit status 77 with the reason when a tool
cannot be had.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEPLOY = os.path.join(ROOT, "deploy", "kubernetes")
VALIDATOR = "kubernetes-validate==1.37.0"
# Kinds of others, which these schemas do not hold.
FOREIGN = ("cert-manager.io/", "keda.sh/", "apiregistration.k8s.io/", "monitoring.coreos.com/")


def build(directory):
    done = subprocess.run(["kubectl", "kustomize", directory], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"kubectl kustomize {directory}: {done.stderr}")
    return done.stdout


def kustomizations():
    for at, _, files in os.walk(DEPLOY):
        if "kustomization.yaml" in files:
            yield at


def inside(work):
    """Runs in the environment that has the validator."""
    import kubernetes_validate
    import yaml

    failures, count = [], 0

    def bad(text):
        failures.append(text)
        print("bad: " + text)

    def check(text, name):
        nonlocal count
        documents = [d for d in yaml.safe_load_all(text) if d]
        for document in documents:
            count += 1
            if document["apiVersion"].startswith(FOREIGN):
                continue
            try:
                kubernetes_validate.validate(document, "1.30", strict=True)
            except kubernetes_validate.ValidationError as e:
                bad(f"{name}: {document['kind']} {document['metadata']['name']}: {e.message}")
        return documents

    for built in sorted(os.listdir(work)):
        if built.endswith(".yaml"):
            with open(os.path.join(work, built)) as file:
                documents = check(file.read(), built)
            by_kind = {(d["kind"], d["metadata"]["name"]): d for d in documents}
            deployment = by_kind.get(("Deployment", "planner"))
            if deployment:
                cross_references(by_kind, deployment, built != "base.yaml", bad)
    for folder in ("hpa", "keda", "engines"):
        for name in sorted(os.listdir(os.path.join(DEPLOY, folder))):
            if name.endswith(".yaml") and name != "kustomization.yaml":
                with open(os.path.join(DEPLOY, folder, name)) as file:
                    for document in check(file.read(), name):
                        scaler(document, name, bad)
    print(f"{count} documents checked")
    return failures


def cross_references(by_kind, deployment, has_certificate, bad):
    import yaml

    pod = deployment["spec"]["template"]["spec"]
    ports = {p["name"]: p["containerPort"] for p in pod["containers"][0]["ports"]}
    config = next(d for (kind, name), d in by_kind.items() if kind == "ConfigMap" and name.startswith("planner-config"))
    settings = yaml.safe_load(config["data"]["planner.yaml"])
    if settings["http"]["port"] != ports["http"] or settings["externalMetrics"]["port"] != ports["metrics-api"]:
        bad(f"ports of the configuration are not those of the Deployment: {ports}")
    if by_kind["Service", "planner"]["spec"]["selector"].items() - deployment["spec"]["template"]["metadata"]["labels"].items():
        bad("the Service does not select the pods")
    service = by_kind["APIService", "v1beta1.external.metrics.k8s.io"]["spec"]["service"]
    if service["port"] not in [p["port"] for p in by_kind["Service", "planner"]["spec"]["ports"]]:
        bad("the APIService names a port that the Service lacks")
    secret = next(v["secret"]["secretName"] for v in pod["volumes"] if "secret" in v)
    certificates = [d["spec"]["secretName"] for (kind, _), d in by_kind.items() if kind == "Certificate"]
    if has_certificate and secret not in certificates and ("Secret", secret) not in by_kind:
        bad(f"nobody makes the Secret {secret}")
    certificate = by_kind.get(("Certificate", "planner-tls"))
    if certificate and f"{service['name']}.{service['namespace']}.svc" not in certificate["spec"]["dnsNames"]:
        bad("the certificate is not for the Service")


def scaler(document, name, bad):
    if document["kind"] == "HorizontalPodAutoscaler":
        external = document["spec"]["metrics"][0]["external"]
        if external["metric"]["name"] not in ("llm_desired_replicas", "llm_desired_ratio"):
            bad(f"{name}: no metric of ours: {external['metric']['name']}")
        if "pool" not in external["metric"]["selector"]["matchLabels"]:
            bad(f"{name}: no pool is selected")
    if document["kind"] == "ScaledObject":
        if document["spec"].get("fallback", {}).get("behavior") != "currentReplicasIfHigher":
            bad(f"{name}: the fallback may shrink")
        for trigger in document["spec"]["triggers"]:
            if trigger["type"] == "prometheus" and trigger["metadata"].get("ignoreNullValues") != "false":
                bad(f"{name}: an absent series would count as 0")


def main():
    if os.environ.get("MANIFESTS_INSIDE"):
        sys.exit(1 if inside(os.environ["MANIFESTS_INSIDE"]) else 0)
    if shutil.which("kubectl") is None or shutil.which("openssl") is None:
        print("kubectl and openssl are not both here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        # The self-signed variant builds once its certificate is made, in a copy.
        copy = os.path.join(work, "kubernetes")
        shutil.copytree(DEPLOY, copy)
        subprocess.run([os.path.join(copy, "certificates/self-signed/make.sh")], check=True, capture_output=True)
        for directory in sorted(kustomizations()):
            relative = os.path.relpath(directory, DEPLOY)
            with open(os.path.join(work, relative.replace("/", "-") + ".yaml"), "w") as file:
                file.write(build(os.path.join(copy, relative)))
            print("built " + relative)
        environment = os.path.join(work, "venv")
        venv.create(environment, with_pip=True)
        python = os.path.join(environment, "bin", "python")
        installed = subprocess.run([python, "-m", "pip", "install", "-q", VALIDATOR], capture_output=True, text=True)
        if installed.returncode != 0:
            print("all variants build; not validated: " + VALIDATOR + " could not be installed")
            sys.exit(77)
        sys.exit(subprocess.run([python, os.path.abspath(__file__)], env=dict(os.environ, MANIFESTS_INSIDE=work)).returncode)


if __name__ == "__main__":
    main()
