#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bill of materials names every library whose classes are in the runnable jar, and none of them has a known advisory.

Advisories are looked up where FPM_ADVISORIES names a service with OSV's query API; without one that part is skipped, and
said to be. Usage: sbom.py BOM JAR
"""
import json
import os
import re
import sys
import urllib.request
import zipfile

# By a class of each: libraries that are shaded in must be in the bill.
WITNESSES = {
    "io.vertx:vertx-core": "io/vertx/core/Vertx.class",
    "io.vertx:vertx-web": "io/vertx/ext/web/Router.class",
    "io.netty:netty-handler": "io/netty/handler/ssl/SslHandler.class",
    "com.fasterxml.jackson.core:jackson-databind": "com/fasterxml/jackson/databind/ObjectMapper.class",
    "org.zeromq:jeromq": "org/zeromq/ZMQ.class",
    "io.nats:jnats": "io/nats/client/Nats.class",
    "org.msgpack:msgpack-core": "org/msgpack/core/MessagePack.class",
    "com.google.protobuf:protobuf-java": "com/google/protobuf/CodedInputStream.class",
    "info.picocli:picocli": "picocli/CommandLine.class",
    "ch.qos.logback:logback-classic": "ch/qos/logback/classic/Logger.class",
    "io.fabric8:kubernetes-client": "io/fabric8/kubernetes/client/impl/KubernetesClientImpl.class",
    "org.yaml:snakeyaml": "org/yaml/snakeyaml/Yaml.class",
}


def main(bom_path, jar_path):
    with open(bom_path, encoding="utf-8") as file:
        bom = json.load(file)
    components = {f"{c.get('group')}:{c['name']}": c for c in bom["components"]}
    with zipfile.ZipFile(jar_path) as jar:
        classes = set(jar.namelist())
    failures = [f"{name} is in the jar and not in the bill"
                for name, witness in WITNESSES.items() if witness in classes and name not in components]
    failures += [f"{name} has no version" for name, c in components.items() if not c.get("version")]
    failures += [f"{name} has no checksum" for name, c in components.items()
                 if not c.get("hashes") and not name.startswith("io.fpmplanner:")]
    failures += [f"{name} is for tests" for name in components if re.search("junit|assertj|jqwik|archunit|pkitesting", name)]
    print(f"{len(components)} components, CycloneDX {bom['specVersion']}")
    failures += advisories(components)
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


def advisories(components):
    service = os.environ.get("FPM_ADVISORIES")
    if not service:
        print("advisories: SKIPPED, FPM_ADVISORIES names no service to ask")
        return []
    queries = [{"package": {"purl": c["purl"].split("?")[0]}} for c in components.values() if "purl" in c]
    request = urllib.request.Request(
        service.rstrip("/") + "/v1/querybatch",
        data=json.dumps({"queries": queries}).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        results = json.load(answer)["results"]
    found = [f"{query['package']['purl']}: {', '.join(v['id'] for v in result['vulns'])}"
             for query, result in zip(queries, results) if result.get("vulns")]
    print(f"advisories: {len(queries)} libraries asked about, {len(found)} have any")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
