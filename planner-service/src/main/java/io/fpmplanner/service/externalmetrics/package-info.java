/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Kubernetes API {@code external.metrics.k8s.io/v1beta1}, as the HPA, kubectl and kube-aggregator speak it: {@link
 * io.fpmplanner.service.externalmetrics.ExternalMetricsApi} on any router, and {@link
 * io.fpmplanner.service.externalmetrics.ExternalMetricsVerticle} as the TLS listener behind an APIService. It only reads
 * plans.
 */
@NullMarked
package io.fpmplanner.service.externalmetrics;

import org.jspecify.annotations.NullMarked;
