/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Configuration: one tree of validated records, read from a YAML file, then the environment, then flags.
 *
 * <p>Doors: {@link io.fpmplanner.service.config.ConfigLoader} resolves, {@link
 * io.fpmplanner.service.config.ServiceConfig} is the result. The environment is an argument, never read here.
 */
@NullMarked
package io.fpmplanner.service.config;

import org.jspecify.annotations.NullMarked;
