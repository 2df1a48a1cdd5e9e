/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who may ask what: roles of routes, tokens, client certificates, addresses, rates, and the lines that say who did what.
 *
 * <p>Doors: {@link io.fpmplanner.service.access.AccessControl} and {@link io.fpmplanner.service.access.AccessRules}; other
 * listeners take {@link io.fpmplanner.service.access.ClientCertificates}, {@link
 * io.fpmplanner.service.access.ServingTls} and {@link io.fpmplanner.service.access.AccessRenewal}. Knows nothing of routes
 * but their paths.
 */
@NullMarked
package io.fpmplanner.service.access;

import org.jspecify.annotations.NullMarked;
