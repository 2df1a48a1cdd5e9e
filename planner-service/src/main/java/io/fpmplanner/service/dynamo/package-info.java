/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What NVIDIA Dynamo asks a planner: {@link io.fpmplanner.service.dynamo.ProposePlugin} takes part in the pipeline of Dynamo's
 * own planner over gRPC, {@link io.fpmplanner.service.dynamo.VirtualConnectorRoutes} tells the values of its virtual connector
 * over REST. Both speak for the pools of one model.
 */
@NullMarked
package io.fpmplanner.service.dynamo;

import org.jspecify.annotations.NullMarked;
