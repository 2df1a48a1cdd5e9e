/* SPDX-License-Identifier: Apache-2.0 */
/** The command line: {@link io.fpmplanner.service.cli.Main}, what picocli knows of it, and the commands that belong to the service itself. */
@NullMarked
package io.fpmplanner.service.cli;

import org.jspecify.annotations.NullMarked;
