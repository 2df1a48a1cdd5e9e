/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Further gRPC services on the scaler's port, with methods of one message each way. */
@FunctionalInterface
public interface UnaryMethods {
    /**
     * Answers a call; on the port's event loop, so it must not block.
     *
     * @param method in full, {@code package.Service/Method}
     * @param message as it came
     * @return the answer; null if there is no such method
     * @throws IOException if the message is malformed
     */
    byte @Nullable [] answer(String method, byte[] message) throws IOException;
}
