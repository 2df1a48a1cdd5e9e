# SPDX-License-Identifier: Apache-2.0
"""Builds everything under deploy/ with kubectl kustomize, each directory by itself and together as users would, and checks it.

What Kubernetes itself defines is validated against its schemas (kubernetes-validate from PyPI, installed beside the check),
what objects name is looked for by manifest_references. Exit status 77 with the reason when a tool cannot be had.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEPLOY = os.path.join(ROOT, "deploy")
VALIDATOR = "kubernetes-validate==1.37.0"
# Kinds of others, which these schemas do not hold.
FOREIGN = ("cert-manager.io/", "keda.sh/", "apiregistration.k8s.io/", "monitoring.coreos.com/")
CERTIFICATES = ("certificates/cert-manager", "certificates/self-signed")
BIND = 'tcp://chat-fpm.llm.svc:20380"'

# What users put together: name -> (directories, components, files, changes of planner.yaml).
TOGETHER = {
    "hpa": (["hpa"], [], ["engines/vllm.yaml"], []),
    "hpa-ratio": ([], [], ["engines/vllm.yaml", "hpa/hpa-ratio.yaml"], []),
    "all": (["hpa", "actuate", "monitoring"], [], ["engines/vllm.yaml"], []),
    "keda": (["keda"], ["without-apiservice"], ["engines/vllm.yaml"], []),
    "keda-prometheus": ([], ["without-apiservice"], ["engines/vllm.yaml", "keda/scaledobject-prometheus.yaml"], []),
    "keda-grpc": ([], ["keda-grpc", "without-apiservice"], ["engines/vllm.yaml", "keda/scaledobject-external-push.yaml"],
                  [("externalMetrics:", "keda: {port: 9090}\nexternalMetrics:")]),
    "sglang-relay": (["hpa"], ["relay"], ["engines/sglang-relay.yaml"], [(BIND, 'tcp+bind://*:20380"')]),
    "vllm-relay": (["hpa"], ["relay"], ["engines/vllm-relay.yaml"], [(BIND, 'tcp+bind://*:20380"')]),
}


def build(directory):
    done = subprocess.run(["kubectl", "kustomize", directory], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"kubectl kustomize {directory}: {done.stderr}")
    return done.stdout


def kustomizations():
    """Every directory that can be applied; components only change others."""
    for at, _, files in os.walk(DEPLOY):
        if "kustomization.yaml" in files:
            with open(os.path.join(at, "kustomization.yaml")) as file:
                if "kind: Component" not in file.read():
                    yield os.path.relpath(at, DEPLOY)


def put_together(kubernetes, name, certificate):
    """A kustomization of one's own over a copy of the manifests."""
    directories, components, files, changes = TOGETHER[name]
    own = os.path.join(kubernetes, "own")
    os.makedirs(own, exist_ok=True)
    for file in files:
        shutil.copy(os.path.join(kubernetes, file), own)
    with open(os.path.join(own, "kustomization.yaml"), "w") as file:
        file.write("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n")
        for each in [certificate] + directories:
            file.write(f"  - ../{each}\n")
        for each in files:
            file.write(f"  - {os.path.basename(each)}\n")
        if components:
            file.write("components:\n" + "".join(f"  - ../components/{each}\n" for each in components))
    settings = os.path.join(kubernetes, "base", "planner.yaml")
    with open(settings) as file:
        before = after = file.read()
    for old, new in changes:
        if old not in after:
            raise SystemExit(f"{name}: there is no {old} in planner.yaml")
        after = after.replace(old, new)
    with open(settings, "w") as file:
        file.write(after)
    try:
        return build(own), after
    finally:
        shutil.rmtree(own)
        with open(settings, "w") as file:
            file.write(before)


def accepted(name, settings, work):
    """The planner itself takes the configuration."""
    path = os.path.join(work, name + "-planner.config")
    with open(path, "w") as file:
        file.write(settings)
    done = subprocess.run([os.path.join(ROOT, "planner"), "check-config", "--without-files", "--config", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"check-config of {name}: {done.stderr}")


def inside(work):
    """Runs in the environment that has the validator."""
    import kubernetes_validate
    import yaml

    import manifest_references

    failures, seen = [], []
    with open(os.path.join(DEPLOY, "prometheus", "rules.yaml")) as file:
        rules = yaml.safe_load(file)

    def bad(text):
        failures.append(text)
        print("bad: " + text)

    tried = missed = 0
    for built in sorted(os.listdir(work)):
        if not built.endswith(".yaml"):
            continue
        with open(os.path.join(work, built)) as file:
            documents = [d for d in yaml.safe_load_all(file) if d]
        for document in documents:
            known = document in seen
            if not known and not document["apiVersion"].startswith(FOREIGN):
                try:
                    kubernetes_validate.validate(document, "1.30", strict=True)
                except kubernetes_validate.ValidationError as e:
                    bad(f"{built}: {document['kind']} {document['metadata']['name']}: {e.message}")
            if not known:
                seen.append(document)
        if built.startswith("together-"):
            faults = manifest_references.faults(documents, rules)
            for fault in faults:
                bad(f"{built}: {fault}")
            if not faults:
                unnoticed, changes = manifest_references.unnoticed(documents, rules)
                tried, missed = tried + changes, missed + len(unnoticed)
                for change in unnoticed:
                    bad(f"{built}: nobody notices a change of {change}")
    print(f"{len(seen)} objects checked; of {tried} references broken on purpose {tried - missed} were found")
    return failures


def main():
    if os.environ.get("MANIFESTS_INSIDE"):
        sys.exit(1 if inside(os.environ["MANIFESTS_INSIDE"]) else 0)
    if shutil.which("kubectl") is None or shutil.which("openssl") is None:
        print("kubectl and openssl are not both here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        # The self-signed variant builds once its certificate is made, in a copy.
        copy = os.path.join(work, "deploy")
        shutil.copytree(DEPLOY, copy)
        kubernetes = os.path.join(copy, "kubernetes")
        subprocess.run([os.path.join(kubernetes, "certificates/self-signed/make.sh")], check=True, capture_output=True)
        for directory in sorted(kustomizations()):
            with open(os.path.join(work, directory.replace("/", "-") + ".yaml"), "w") as file:
                file.write(build(os.path.join(copy, directory)))
            print("built " + directory)
        for name in TOGETHER:
            for certificate in CERTIFICATES:
                objects, settings = put_together(kubernetes, name, certificate)
                label = f"{name}-{os.path.basename(certificate)}"
                with open(os.path.join(work, f"together-{label}.yaml"), "w") as file:
                    file.write(objects)
                print("put together " + label)
            accepted(name, settings, work)
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
