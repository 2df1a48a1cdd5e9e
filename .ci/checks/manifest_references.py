# SPDX-License-Identifier: Apache-2.0
"""Whether what Kubernetes objects name is there: labels, ports, volumes, accounts, roles, targets, and the planner's own pools,
metrics and ports. A list of faults for a list of objects; `broken` has a way to break each rule, so that the rules can be seen
to fail.
"""

import copy
import re
import urllib.parse

import yaml

# What is in every cluster that has what these manifests are for.
ROLES = {("Role", "kube-system", "extension-apiserver-authentication-reader")}
ACCOUNTS = {("kube-system", "horizontal-pod-autoscaler")}
NAMESPACES = {"kube-system", "monitoring"}
METRICS = {"llm_desired_replicas", "llm_desired_ratio"}


def faults(objects, rules=None):
    """Everything wrong with these objects, which are to be all that is applied to a cluster."""
    return Objects(objects, rules).check()


class Objects:
    def __init__(self, objects, rules):
        self.objects, self.rules, self.found = objects, rules, []
        self.by_key = {(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]): o for o in objects}

    def bad(self, owner, text):
        self.found.append(f"{owner['kind']} {owner['metadata']['name']}: {text}")

    def of(self, *kinds):
        return [o for o in self.objects if o["kind"] in kinds]

    def has(self, kind, namespace, name):
        return (kind, namespace, name) in self.by_key

    def check(self):
        for owner in self.objects:
            namespace = owner["metadata"].get("namespace")
            if namespace and namespace not in NAMESPACES and not self.has("Namespace", None, namespace):
                self.bad(owner, f"namespace {namespace} is not made")
        for workload in self.of("Deployment", "StatefulSet"):
            self.workload(workload)
        for service in self.of("Service"):
            self.service(service)
        for policy in self.of("NetworkPolicy"):
            self.policy(policy)
        for binding in self.of("RoleBinding", "ClusterRoleBinding"):
            self.binding(binding)
        for api in self.of("APIService"):
            self.api(api)
        for autoscaler in self.of("HorizontalPodAutoscaler"):
            self.hpa(autoscaler)
        for scaled in self.of("ScaledObject"):
            self.scaled(scaled)
        for monitor in self.of("ServiceMonitor"):
            self.monitor(monitor)
        for rule in self.of("PrometheusRule"):
            if self.rules is not None and rule["spec"] != self.rules:
                self.bad(rule, "is not what deploy/prometheus/rules.yaml says")
        self.configuration()
        self.scaler_role()
        return self.found

    def pods(self, namespace, selector):
        """Pod templates in the namespace that the labels select."""
        return [
            w["spec"]["template"] for w in self.of("Deployment", "StatefulSet")
            if w["metadata"].get("namespace") == namespace
            and selector.items() <= w["spec"]["template"]["metadata"]["labels"].items()
        ]

    @staticmethod
    def containers(template):
        return template["spec"].get("initContainers", []) + template["spec"]["containers"]

    def ports(self, template):
        return [p for c in self.containers(template) for p in c.get("ports", [])]

    def has_port(self, template, port):
        return any(port in (p.get("name"), p["containerPort"]) for p in self.ports(template))

    def workload(self, owner):
        namespace, template = owner["metadata"]["namespace"], owner["spec"]["template"]
        if not owner["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items():
            self.bad(owner, "does not select its own pods")
        account = template["spec"].get("serviceAccountName")
        if account and not self.has("ServiceAccount", namespace, account):
            self.bad(owner, f"there is no account {account}")
        volumes = {v["name"] for v in template["spec"].get("volumes", [])}
        for container in self.containers(template):
            for mount in container.get("volumeMounts", []):
                if mount["name"] not in volumes:
                    self.bad(owner, f"there is no volume {mount['name']}")
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                port = container.get(probe, {}).get("httpGet", {}).get("port")
                if port is not None and port not in [p.get("name") for p in container.get("ports", [])]:
                    self.bad(owner, f"{probe} asks a port {port} that is not there")
        names = [p.get("name") for p in self.ports(template)]
        if len(names) != len(set(names)):
            self.bad(owner, f"two ports have one name: {names}")
        made = {c["spec"]["secretName"] for c in self.of("Certificate") if c["metadata"]["namespace"] == namespace}
        for volume in template["spec"].get("volumes", []):
            config, secret = volume.get("configMap", {}).get("name"), volume.get("secret", {}).get("secretName")
            if config and not self.has("ConfigMap", namespace, config):
                self.bad(owner, f"there is no ConfigMap {config}")
            if secret and secret not in made and not self.has("Secret", namespace, secret):
                self.bad(owner, f"nobody makes the Secret {secret}")

    def service(self, owner):
        templates = self.pods(owner["metadata"]["namespace"], owner["spec"]["selector"])
        if not templates:
            self.bad(owner, "selects no pod")
        for port in owner["spec"]["ports"]:
            target = port.get("targetPort", port["port"])
            if not any(self.has_port(t, target) for t in templates):
                self.bad(owner, f"no pod has a port {target}")

    def policy(self, owner):
        templates = self.pods(owner["metadata"]["namespace"], owner["spec"]["podSelector"].get("matchLabels", {}))
        if not templates:
            self.bad(owner, "selects no pod")
        for rule in owner["spec"].get("ingress", []):
            for port in rule.get("ports", []):
                if not any(self.has_port(t, port["port"]) for t in templates):
                    self.bad(owner, f"no pod has a port {port['port']}")
        admitted = {p["port"] for rule in owner["spec"].get("ingress", []) for p in rule.get("ports", [])}
        for template in templates:
            for port in self.ports(template):
                if port.get("name") not in admitted and port["containerPort"] not in admitted:
                    self.bad(owner, f"nobody may reach port {port.get('name')}")

    def binding(self, owner):
        role, namespace = owner["roleRef"], owner["metadata"].get("namespace")
        key = (role["kind"], namespace if role["kind"] == "Role" else None, role["name"])
        if key not in self.by_key and key not in ROLES:
            self.bad(owner, f"there is no {role['kind']} {role['name']}")
        for subject in owner["subjects"]:
            if not self.has("ServiceAccount", subject["namespace"], subject["name"]) \
                    and (subject["namespace"], subject["name"]) not in ACCOUNTS:
                self.bad(owner, f"there is no account {subject['namespace']}/{subject['name']}")

    def service_port(self, owner, name, namespace, port):
        service = self.by_key.get(("Service", namespace, name))
        if service is None or port not in [p["port"] for p in service["spec"]["ports"]]:
            self.bad(owner, f"there is no Service {namespace}/{name} with a port {port}")

    def api(self, owner):
        service = owner["spec"]["service"]
        self.service_port(owner, service["name"], service["namespace"], service["port"])
        host = f"{service['name']}.{service['namespace']}.svc"
        for certificate in self.of("Certificate"):
            names = certificate["spec"].get("dnsNames")
            if names and host not in names:
                self.bad(certificate, f"is not for {host}")
        injected = owner["metadata"].get("annotations", {}).get("cert-manager.io/inject-ca-from")
        if injected and not self.has("Certificate", *injected.split("/")):
            self.bad(owner, f"there is no Certificate {injected}")
        if not injected and "caBundle" not in owner["spec"]:
            self.bad(owner, "nobody tells kube-aggregator whom to believe")

    def planner(self):
        """The configuration that the planner is started with, and its Deployment."""
        for deployment in self.of("Deployment"):
            for volume in deployment["spec"]["template"]["spec"].get("volumes", []):
                config = self.by_key.get(
                    ("ConfigMap", deployment["metadata"]["namespace"], volume.get("configMap", {}).get("name")))
                if config and "planner.yaml" in config["data"]:
                    return deployment, yaml.safe_load(config["data"]["planner.yaml"])
        return None, {}

    def pool_ids(self):
        return [p["id"] for p in self.planner()[1].get("pools", [])]

    def target(self, owner, reference, kind="Deployment"):
        kind = reference.get("kind", kind)
        if not self.has(kind, owner["metadata"]["namespace"], reference["name"]):
            self.bad(owner, f"there is no {kind} {reference['name']} to scale")

    def hpa(self, owner):
        self.target(owner, owner["spec"]["scaleTargetRef"])
        for metric in owner["spec"]["metrics"]:
            asked = metric["external"]["metric"]
            if asked["name"] not in METRICS:
                self.bad(owner, f"{asked['name']} is no metric of ours to scale by")
            if asked["selector"]["matchLabels"].get("pool") not in self.pool_ids():
                self.bad(owner, f"no pool {asked['selector']['matchLabels']} is configured")

    def scaled(self, owner):
        self.target(owner, owner["spec"]["scaleTargetRef"])
        if owner["spec"].get("fallback", {}).get("behavior") != "currentReplicasIfHigher":
            self.bad(owner, "the fallback may shrink")
        for trigger in owner["spec"]["triggers"]:
            asked, pool = trigger["metadata"], None
            if trigger["type"] == "metrics-api":
                url = urllib.parse.urlsplit(asked["url"])
                self.service_port(owner, *url.hostname.split(".")[:2], url.port)
                pool = re.fullmatch(r"/v1/pools/([^/]+)/desired-replicas", url.path)
                pool = pool and pool.group(1)
                if asked["valueLocation"] != "desiredReplicas":
                    self.bad(owner, f"there is no {asked['valueLocation']} in the answer")
            elif trigger["type"] in ("external", "external-push"):
                host, port = asked["scalerAddress"].split(":")
                self.service_port(owner, *host.split(".")[:2], int(port))
                pool = asked.get("pool")
            elif trigger["type"] == "prometheus":
                pool = re.search(r'pool="([^"]+)"', asked["query"])
                pool = pool and pool.group(1)
                if asked.get("ignoreNullValues") != "false":
                    self.bad(owner, "an absent series would count as 0")
            if pool not in self.pool_ids():
                self.bad(owner, f"no pool {pool} is configured")

    def monitor(self, owner):
        selected = [
            s for s in self.of("Service")
            if s["metadata"]["namespace"] == owner["metadata"]["namespace"]
            and owner["spec"]["selector"]["matchLabels"].items() <= s["metadata"].get("labels", {}).items()
        ]
        if not selected:
            self.bad(owner, "selects no Service")
        for service in selected:
            label = service["metadata"].get("labels", {}).get(owner["spec"].get("jobLabel"))
            if label != "fpm-planner":
                self.bad(owner, f"the job would be {label}, the rules ask for fpm-planner")
            for endpoint in owner["spec"]["endpoints"]:
                if endpoint["port"] not in [p.get("name") for p in service["spec"]["ports"]]:
                    self.bad(owner, f"the Service has no port {endpoint['port']}")

    def configuration(self):
        deployment, settings = self.planner()
        if deployment is None:
            return
        ports = {p["containerPort"] for p in self.ports(deployment["spec"]["template"])}
        mounts = [m["mountPath"] for c in self.containers(deployment["spec"]["template"]) for m in c["volumeMounts"]]
        listening = [settings.get(section, {}).get("port") for section in ("http", "externalMetrics", "keda")]
        for pool in settings["pools"]:
            for source in pool["sources"]:
                url = urllib.parse.urlsplit(source)
                if "+bind" in url.scheme:
                    listening.append(url.port)
                else:
                    self.service_port(deployment, *url.hostname.split(".")[:2], url.port)
        for port in listening:
            if port is not None and port not in ports:
                self.bad(deployment, f"listens on {port}, which is no port of the container")
        for port in ports - set(listening):
            self.bad(deployment, f"does not listen on {port}")
        for name in ("certificateFile", "privateKeyFile"):
            file = settings.get("externalMetrics", {}).get("tls", {}).get(name)
            if file and not any(file.startswith(mount + "/") for mount in mounts):
                self.bad(deployment, f"{file} is not mounted")
        for workload in self.of("Deployment"):
            for container in self.containers(workload["spec"]["template"]):
                arguments = container.get("args", [])
                if arguments[:1] == ["relay"]:
                    to = urllib.parse.urlsplit(arguments[arguments.index("--to") + 1])
                    self.service_port(workload, *to.hostname.split(".")[:2], to.port)

    def scaler_role(self):
        """The objects that the role for acting names are there, as far as their kinds are known here."""
        for role in self.of("Role"):
            for rule in role["rules"]:
                if rule["apiGroups"] == ["apps"] and any("/scale" in r for r in rule["resources"]):
                    for name in rule["resourceNames"]:
                        self.target(role, {"name": name})


def _set(path, value):
    def change(target):
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value
    return change


def _trigger(kind, key, value):
    def change(target):
        trigger = target["spec"]["triggers"][0]
        if trigger["type"] != kind:
            return False
        trigger["metadata"][key] = value
        return True
    return change


def broken():
    """What each rule should find: (kind, name, change of that object)."""
    pod = ("spec", "template", "spec")
    container = pod + ("containers", 0)
    yield "Deployment", "planner", _set(("spec", "selector", "matchLabels", "app.kubernetes.io/name"), "other")
    yield "Deployment", "planner", _set(pod + ("serviceAccountName",), "other")
    yield "Deployment", "planner", _set(container + ("livenessProbe", "httpGet", "port"), "other")
    yield "Deployment", "planner", _set(container + ("ports", 0, "containerPort"), 8081)
    yield "Deployment", "planner", _set(container + ("ports", 1, "name"), "http")
    yield "Deployment", "planner", _set(container + ("volumeMounts", 0, "name"), "other")
    yield "Deployment", "planner", _set(container + ("volumeMounts", 1, "mountPath"), "/other")
    yield "Deployment", "planner", _set(pod + ("volumes", 0, "configMap", "name"), "other")
    yield "Deployment", "planner", _set(pod + ("volumes", 1, "secret", "secretName"), "other")
    yield "Service", "planner", _set(("spec", "selector", "app.kubernetes.io/name"), "other")
    yield "Service", "planner", _set(("spec", "ports", 0, "targetPort"), "other")
    yield "Service", "planner", _set(("spec", "ports", 0, "port"), 444), "APIService"
    yield "Service", "chat-fpm", _set(("spec", "ports", 0, "port"), 20381)
    yield "NetworkPolicy", "planner", _set(("spec", "ingress", 0, "ports", 0, "port"), "other")
    yield "NetworkPolicy", "planner", _set(("spec", "podSelector", "matchLabels"), {"other": "label"})
    yield "NetworkPolicy", "planner", lambda o: o["spec"]["ingress"].pop()
    yield "RoleBinding", "fpm-planner-authentication-reader", _set(("roleRef", "name"), "other")
    yield "ClusterRoleBinding", "fpm-planner-external-metrics-reader", _set(("subjects", 0, "name"), "other")
    yield "RoleBinding", "fpm-planner-scaler", _set(("subjects", 0, "namespace"), "other")
    yield "Role", "fpm-planner-scaler", _set(("metadata", "name"), "other")
    yield "Role", "fpm-planner-scaler", _set(("rules", 1, "resourceNames"), ["other"])
    yield "APIService", "v1beta1.external.metrics.k8s.io", _set(("spec", "service", "port"), 8443)
    yield "APIService", "v1beta1.external.metrics.k8s.io", lambda o: (
        o["metadata"].pop("annotations", None), o["spec"].pop("caBundle", None))
    yield "Certificate", "planner-tls", _set(("spec", "dnsNames"), ["other"]), "APIService"
    yield "HorizontalPodAutoscaler", "chat", _set(("spec", "scaleTargetRef", "name"), "other")
    yield "HorizontalPodAutoscaler", "chat", _set(("spec", "metrics", 0, "external", "metric", "name"), "llm_other")
    yield "HorizontalPodAutoscaler", "chat", _set(
        ("spec", "metrics", 0, "external", "metric", "selector", "matchLabels", "pool"), "other")
    yield "ServiceMonitor", "planner", _set(("spec", "endpoints", 0, "port"), "web")
    yield "ServiceMonitor", "planner", _set(("spec", "jobLabel"), "other")
    yield "ServiceMonitor", "planner", _set(("spec", "selector", "matchLabels"), {"other": "label"})
    yield "PrometheusRule", "planner", _set(("spec", "groups", 0, "rules", 0, "for"), "3m")
    yield "ScaledObject", "chat", _set(("spec", "fallback", "behavior"), "static")
    url = "http://planner.llm.svc:8080/v1/pools/chat/desired-replicas"
    yield "ScaledObject", "chat", _trigger("metrics-api", "url", url.replace("8080", "8081"))
    yield "ScaledObject", "chat", _trigger("metrics-api", "url", url.replace("chat", "other"))
    yield "ScaledObject", "chat", _trigger("metrics-api", "valueLocation", "desired")
    yield "ScaledObject", "chat", _trigger("external-push", "scalerAddress", "planner.llm.svc:9091")
    yield "ScaledObject", "chat", _trigger("external-push", "pool", "other")
    yield "ScaledObject", "chat", _trigger("prometheus", "ignoreNullValues", "true")
    yield "ScaledObject", "chat", _trigger("prometheus", "query", 'max(fpm_planner_desired_replicas{pool="other"})')
    yield "Namespace", "llm", _set(("metadata", "name"), "other")


def unnoticed(objects, rules):
    """Changes of `broken` that no rule finds; objects must have no faults."""
    missed, tried = [], 0
    served = any(o["kind"] == "APIService" for o in objects)
    for kind, name, change, *only_of in broken():
        if only_of and not served:
            continue
        changed = copy.deepcopy(objects)
        meant = [o for o in changed if o["kind"] == kind and o["metadata"]["name"] == name]
        if not meant:
            continue
        if change(meant[0]) is False:
            continue
        tried += 1
        if not faults(changed, rules):
            missed.append(f"{kind} {name}: change {tried}")
    return missed, tried
