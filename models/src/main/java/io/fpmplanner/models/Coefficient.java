/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * One learned cost of a step.
 *
 * @param name what is charged for, stable across versions
 * @param unit unit of {@code value}, such as {@code s/token}
 * @param value learned cost, &ge; 0
 */
public record Coefficient(String name, String unit, double value) {}
