/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * fabric8's CRUD mode for everything but objects with a {@code /scale} subresource, which it would store in place of the object:
 * these are kept here, with resource versions, conflicts and refusals as kube-apiserver has them.
 */
final class ScaleAwareDispatcher extends Dispatcher {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SCALE = "/scale";

    private final KubernetesCrudDispatcher rest = new KubernetesCrudDispatcher();
    private final Map<String, ObjectNode> objects = new ConcurrentHashMap<>();
    private final Queue<String> writes = new ConcurrentLinkedQueue<>();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private volatile int refusal;
    private volatile boolean conflict;

    /** Puts an object at its path, or changes it, as somebody with kubectl would. */
    void put(String path, int replicas, int ready) {
        objects.compute(path, (same, known) -> {
            ObjectNode node = known == null ? JsonNodeFactory.instance.objectNode() : known.deepCopy();
            node.put("apiVersion", path.substring("/apis/".length(), path.indexOf("/namespaces")))
                    .put("kind", "Any");
            node.withObject("/metadata")
                    .put("name", path.substring(path.lastIndexOf('/') + 1))
                    .put("namespace", "llm");
            node.withObject("/spec").put("replicas", replicas);
            ObjectNode status = node.withObject("/status").put("replicas", replicas);
            if (ready > 0) {
                status.put("readyReplicas", ready);
            } else {
                status.remove("readyReplicas");
            }
            return next(node);
        });
    }

    private static ObjectNode next(ObjectNode node) {
        ObjectNode metadata = node.withObject("/metadata");
        metadata.put(
                "resourceVersion",
                String.valueOf(metadata.path("resourceVersion").asInt(0) + 1));
        return node;
    }

    int replicas(String path) {
        return objects.get(path).at("/spec/replicas").asInt();
    }

    /** Every write of a scale: path and body. */
    Queue<String> writes() {
        return writes;
    }

    /** Every request: method and path. */
    Queue<String> calls() {
        return calls;
    }

    /** Answers with this status from now on; 0 for none. */
    void refuse(int status) {
        refusal = status;
    }

    /** Has somebody else change the object between the next reading of a scale and its writing. */
    void conflictOnce() {
        conflict = true;
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        String path = request.getPath().replaceAll("\\?.*", "");
        calls.add(request.getMethod() + " " + path);
        boolean scale = path.endsWith(SCALE);
        String object = scale ? path.substring(0, path.length() - SCALE.length()) : path;
        if (refusal != 0) {
            return status(refusal);
        }
        ObjectNode found = objects.get(object);
        if (found == null) {
            return object.contains("/leases") ? rest.dispatch(request) : status(404);
        }
        if (request.getMethod().equals("GET")) {
            return json(200, scale ? scale(found) : found);
        }
        return scale && request.getMethod().equals("PUT") ? write(object, request) : status(405);
    }

    private MockResponse write(String object, RecordedRequest request) {
        String body = request.getBody().readUtf8();
        writes.add(object + " " + body);
        JsonNode asked;
        try {
            asked = JSON.readTree(body);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
        if (conflict) {
            conflict = false;
            objects.computeIfPresent(object, (same, node) -> next(node.deepCopy()));
        }
        String version = objects.get(object).at("/metadata/resourceVersion").asText();
        if (!version.equals(asked.at("/metadata/resourceVersion").asText(version))) {
            return status(409);
        }
        ObjectNode changed = objects.computeIfPresent(object, (same, node) -> {
            ObjectNode copy = node.deepCopy();
            copy.withObject("/spec").put("replicas", asked.at("/spec/replicas").asInt());
            return next(copy);
        });
        return json(200, scale(changed));
    }

    private static ObjectNode scale(ObjectNode object) {
        ObjectNode scale = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "autoscaling/v1")
                .put("kind", "Scale");
        scale.set("metadata", object.get("metadata").deepCopy());
        scale.putObject("spec").set("replicas", object.at("/spec/replicas"));
        scale.putObject("status").set("replicas", object.at("/status/replicas"));
        return scale;
    }

    private static MockResponse status(int code) {
        return json(
                code,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Failure")
                        .put("message", "answered by the test")
                        .put("code", code));
    }

    private static MockResponse json(int code, ObjectNode body) {
        return new MockResponse()
                .setResponseCode(code)
                .addHeader("Content-Type", "application/json")
                .setBody(body.toString());
    }
}
