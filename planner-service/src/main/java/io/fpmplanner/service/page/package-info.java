/* SPDX-License-Identifier: Apache-2.0 */
/** Building blocks of the self-contained pages that commands write. No thread owns them; instances are not shared. */
@NullMarked
package io.fpmplanner.service.page;

import org.jspecify.annotations.NullMarked;
