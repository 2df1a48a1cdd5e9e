/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/**
 * One row of a {@link KeyTable}; several names may lead to the same field.
 *
 * @param name key on the wire, ASCII
 * @param kind what its value is
 * @param field a constant of {@link FpmFields}
 */
record WireKey(String name, WireKind kind, int field) {}
