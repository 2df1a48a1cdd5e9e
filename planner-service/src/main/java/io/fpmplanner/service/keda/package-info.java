/* SPDX-License-Identifier: Apache-2.0 */
/**
 * KEDA's external scaler over gRPC: {@link io.fpmplanner.service.keda.KedaVerticle} on a port of its own, which
 * other gRPC services share. Its classes, and
 * those of gRPC, are only loaded where it is configured.
 */
@NullMarked
package io.fpmplanner.service.keda;

import org.jspecify.annotations.NullMarked;
