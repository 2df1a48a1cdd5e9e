/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTargetTest {
    private static ServiceConfig load(String... settings) throws ConfigException {
        List<String> flags = new java.util.ArrayList<>(List.of("pools[0].id=chat", "pools[0].sources=tcp://h:1"));
        flags.addAll(List.of(settings));
        return ConfigLoader.load(Optional.empty(), Map.of(), flags).config();
    }

    @Test
    void isADryRunOfTheUsualVersionInThePoolsNamespaceUnlessSaidOtherwise() throws Exception {
        ServiceConfig config = load(
                "pools[0].kubernetes.namespace=llm",
                "pools[0].actuate.target.kind=leaderworkerset",
                "pools[0].actuate.target.name=chat");

        assertThat(config.pools().get(0).target())
                .hasValue(new ScaleTarget(
                        TargetKind.LEADER_WORKER_SET, "leaderworkerset.x-k8s.io/v1", "llm", "chat", true));
        assertThat(load().pools().get(0).target()).isEmpty();
    }

    @Test
    void everyKeyIsTakenOver() throws Exception {
        ServiceConfig config = load(
                "actuate.intervalSeconds=2",
                "actuate.lease.namespace=llm",
                "actuate.lease.name=fpm-planner",
                "pools[0].actuate.dryRun=false",
                "pools[0].actuate.target.kind=DynamoGraphDeploymentScalingAdapter",
                "pools[0].actuate.target.apiVersion=nvidia.com/v1beta1",
                "pools[0].actuate.target.namespace=dynamo",
                "pools[0].actuate.target.name=chat-decode");

        assertThat(config.pools().get(0).target())
                .hasValue(new ScaleTarget(
                        TargetKind.DYNAMO_SCALING_ADAPTER, "nvidia.com/v1beta1", "dynamo", "chat-decode", false));
        assertThat(config.interfaces().actuate())
                .isEqualTo(new ActuateSettings(
                        2, Optional.empty(), Optional.of(new ActuateSettings.Lease("llm", "fpm-planner"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pools[0].actuate.target.name=chat | pools[0].actuate.target.kind is required",
                "pools[0].actuate.target.kind=Pod | pools[0].actuate.target.kind must be one of Deployment,",
                "pools[0].actuate.target.kind=Deployment | pools[0].actuate.target.namespace must be",
                "pools[0].actuate.dryRun=maybe | pools[0].actuate.dryRun must be true or false",
                "actuate.lease.name=x | actuate.lease.namespace is required",
                "actuate.intervalSeconds=0 | actuate.intervalSeconds must",
            })
    void whatIsWrongIsNamed(String setting, String problem) {
        assertThatThrownBy(() -> load(setting))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(problem);
    }
}
