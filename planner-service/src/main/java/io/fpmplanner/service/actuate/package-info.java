/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Acting on recommendations, opt-in: {@link io.fpmplanner.service.actuate.ActuateVerticle} sets the replicas of Kubernetes
 * objects by their {@code /scale} subresource, on a worker thread. Its classes, and those of the Kubernetes client, are only
 * loaded where a pool has a target.
 */
@NullMarked
package io.fpmplanner.service.actuate;

import org.jspecify.annotations.NullMarked;
