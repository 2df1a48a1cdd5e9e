/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.fuzz;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A short run of {@link FuzzRun}, the same each time. */
class FuzzTest {
    static List<FuzzTarget> targets() throws Exception {
        return FuzzTarget.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void nothingThrowsOrHangs(FuzzTarget target) throws Exception {
        new Fuzzer(1).run(target, 30L * target.weight());
    }

    /** As they are: each was kept because it got further than all others, or because it once was a finding. */
    @ParameterizedTest
    @MethodSource("targets")
    void theCorpusIsReadWithoutAFault(FuzzTarget target) throws Exception {
        for (byte[] input : target.corpus()) {
            target.reader().read(input);
        }
    }
}
