/* SPDX-License-Identifier: Apache-2.0 */

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.util.ClientBuilder;
import java.util.List;
import java.util.Map;

/** Reads metrics with fabric8's client and with the official one; argument: the server's URL. Fails by an exception. */
final class Clients {
    private static final String V1BETA1 = "/apis/external.metrics.k8s.io/v1beta1";

    public static void main(String[] arguments) throws Exception {
        fabric8(arguments[0]);
        official(arguments[0]);
    }

    private static void fabric8(String server) {
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder().withMasterUrl(server).withNamespace("llm").build())
                .build()) {
            String list = client.raw(V1BETA1 + "/namespaces/llm/llm_desired_replicas?labelSelector=pool%3Dagg");
            require(list.contains("\"ExternalMetricValueList\"") && list.contains("\"value\":\""), "fabric8: " + list);
            boolean found = client.getApiGroups().getGroups().stream()
                    .anyMatch(group -> group.getName().equals("external.metrics.k8s.io"));
            require(found, "fabric8 discovers the group");
            require(
                    client.getApiResources("external.metrics.k8s.io/v1beta1").getResources().size() >= 6,
                    "fabric8 discovers the metrics");
            String message = "";
            try {
                client.raw(V1BETA1 + "/namespaces/llm/llm_desired_replicas", "GET", null);
            } catch (KubernetesClientException e) {
                message = String.valueOf(e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage());
            }
            require(message.contains("pools match"), "fabric8 reads the Status: " + message);
            System.out.println("fabric8: " + list.strip());
        }
    }

    private static void official(String server) throws ApiException {
        ApiClient client = new ClientBuilder().setBasePath(server).build();
        CustomObjectsApi api = new CustomObjectsApi(client);
        Map<?, ?> list = (Map<?, ?>) api.listNamespacedCustomObject(
                        "external.metrics.k8s.io", "v1beta1", "llm", "llm_desired_replicas")
                .labelSelector("pool=agg")
                .execute();
        Map<?, ?> item = (Map<?, ?>) ((List<?>) list.get("items")).get(0);
        Quantity value = Quantity.fromString((String) item.get("value"));
        require(value.getNumber().signum() >= 0, "official: " + item);
        try {
            api.listNamespacedCustomObject("external.metrics.k8s.io", "v1beta1", "llm", "llm_nothing").execute();
            require(false, "an unknown metric is an error");
        } catch (ApiException e) {
            require(e.getCode() == 404 && e.getResponseBody().contains("\"reason\":\"NotFound\""), e.getResponseBody());
        }
        System.out.println("official client: " + item);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
