/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.fpmplanner.service.page;

import org.jspecify.annotations.NullMarked;
