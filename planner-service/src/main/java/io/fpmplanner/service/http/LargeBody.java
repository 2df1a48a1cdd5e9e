/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import java.io.IOException;
import java.io.OutputStream;

/** The body of an answer that takes long to make. */
@FunctionalInterface
interface LargeBody {
    /** Writes all of it; on a worker thread. */
    void writeTo(OutputStream output) throws IOException;
}
