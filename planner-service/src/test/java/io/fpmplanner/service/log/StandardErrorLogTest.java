/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.Test;

class StandardErrorLogTest {
    @Test
    void auditAndOwnLinesAreToldAndLibrariesOnlyWarn() {
        LoggerContext context = new LoggerContext();
        new StandardErrorLog().configure(context);
        assertThat(context.getLogger("audit").isInfoEnabled()).isTrue();
        assertThat(context.getLogger("io.fpmplanner.service.x").isInfoEnabled()).isTrue();
        assertThat(context.getLogger("io.netty").isInfoEnabled()).isFalse();
    }
}
