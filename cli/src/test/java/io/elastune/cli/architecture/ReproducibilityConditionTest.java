package io.elastune.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Checks that the rules detect violations, and nothing else. */
class ReproducibilityConditionTest {

  @Test
  void detectsAllClockAccess() {
    assertThat(findings(ReproducibilityCondition.readsClock(), ReadsClock.class)).isEqualTo(7);
  }

  @Test
  void allowsInjectedClock() {
    assertThat(findings(ReproducibilityCondition.readsClock(), UsesInjectedClock.class)).isZero();
  }

  @Test
  void detectsUnseededGenerators() {
    assertThat(findings(ReproducibilityCondition.drawsUnseeded(), DrawsUnseeded.class))
        .isEqualTo(4);
  }

  @Test
  void allowsSeededStreams() {
    assertThat(findings(ReproducibilityCondition.drawsUnseeded(), UsesSeededStream.class)).isZero();
  }

  private static int findings(ArchCondition<JavaClass> condition, Class<?> type) {
    return noClasses()
        .should(condition)
        .evaluate(new ClassFileImporter().importClasses(type))
        .getFailureReport()
        .getDetails()
        .size();
  }

  @SuppressWarnings({"unused", "JavaUtilDate", "TimeZoneUsage"}) // violations on purpose
  static final class ReadsClock {
    final Supplier<Instant> reference = Instant::now;
    final long nanos = System.nanoTime();
    final LocalDate day = LocalDate.now(ZoneOffset.UTC);
    final Clock clock = Clock.systemUTC();
    final Date date = new Date();

    final Runnable lambda = () -> System.currentTimeMillis();

    void sleep() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class UsesInjectedClock {
    final Instant later;

    UsesInjectedClock(Clock clock) {
      later = Instant.now(clock).plus(Duration.ofSeconds(1));
    }
  }

  @SuppressWarnings("unused") // violations on purpose
  static final class DrawsUnseeded {
    final double math = Math.random();
    final Random random = new Random(7);
    final SplittableRandom unseeded = new SplittableRandom();
    final Supplier<RandomGenerator> reference = RandomGenerator::getDefault;
  }

  static final class UsesSeededStream {
    final RandomGenerator stream;

    UsesSeededStream(long seed) {
      stream = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
  }
}
