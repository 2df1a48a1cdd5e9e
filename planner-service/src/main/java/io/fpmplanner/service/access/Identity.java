/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

/**
 * Who asks, as shown in audit lines.
 *
 * @param name of the token or certificate; never the secret
 * @param role what it may do
 */
public record Identity(String name, AccessRole role) {}
