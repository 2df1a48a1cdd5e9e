/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What keeps models and planner-core embeddable and replayable: no I/O, no clock, no logging, no cycles. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fpmplanner.models", "io.fpmplanner.core");

    private static final ArchRule NO_CLOCK = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocalRandom.class)
            .orShould()
            .callConstructor(Random.class)
            .because("time and randomness are arguments");

    @Test
    void knowsNoNetworkFilesOrLogging() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.vertx..",
                        "org.zeromq..",
                        "java.net..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.io..",
                        "org.slf4j..",
                        "java.util.logging..",
                        "io.fpmplanner.sim..",
                        "io.fpmplanner.service..")
                .because("models and planner-core do no I/O")
                .check(CLASSES);
    }

    @Test
    void readsNoClockAndMakesNoRandomness() {
        NO_CLOCK.check(CLASSES);
    }

    @Test
    void theClockRuleCanFail() {
        JavaClasses offender = new ClassFileImporter().importClasses(ReadsTheClock.class);
        assertThatThrownBy(() -> NO_CLOCK.check(offender)).isInstanceOf(AssertionError.class);
    }

    @Test
    void modelsKnowNothingOfCore() {
        noClasses()
                .that()
                .resideInAPackage("io.fpmplanner.models..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fpmplanner.core..")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.fpmplanner.core.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    static final class ReadsTheClock {
        long now() {
            return System.nanoTime();
        }
    }
}
