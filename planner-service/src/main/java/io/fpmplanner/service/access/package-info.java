/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who may ask what: roles of routes, tokens, client certificates, addresses, rates, and the lines that say who did what.
 *
 * <p>Doors: {@link io.fpmplanner.service.access.AccessControl} and {@link io.fpmplanner.service.access.AccessRules}; other
 * listeners take {@link io.fpmplanner.service.access.ClientCertificates} and {@link
 * io.fpmplanner.service.access.ServingCertificate}. Knows nothing of routes but their paths.
 */
@NullMarked
package io.fpmplanner.service.access;

import org.jspecify.annotations.NullMarked;
