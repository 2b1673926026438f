package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Checks profiles of training programs whose truth is known: few of them in the normal build. With
 * {@code -Delastune.profiling=full} it checks many and writes a section of docs/profiling.md
 * ({@link ProfilingQuality#COMMAND} is the whole command).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilingQualityTest {
  private static final boolean FULL = "full".equals(System.getProperty("elastune.profiling"));
  private static final int LAWS = FULL ? 500 : Tier.runs(3, 10);

  /** The small version has about 60 intervals, of which chance alone decides some. */
  private static final double TOLERANCE = FULL ? 0.02 : 0.05;

  private static final double MEAN_ERROR = FULL ? 0.03 : 0.04;
  private static final double P95_ERROR = 0.10;
  private static final double COST_SHARE = 0.05;

  private final ProfilingQuality quality =
      new ProfilingQuality(LongStream.range(0, LAWS).parallel().mapToObj(LawResult::of).toList());

  @Test
  void intervalsContainTheTruth() {
    assertThat(quality.totalCoverage()).isBetween(0.95 - TOLERANCE, 0.95 + TOLERANCE);
    assertThat(quality.coverage().keySet())
        .contains("training.1", "training.2", "startup_s.mean", "trial_cv", "unit_cv")
        .contains("instance_cv");
  }

  @Test
  void plansTakeAsLongAsPredicted() {
    assertThat(quality.mean(result -> result.chosen().error())).isLessThanOrEqualTo(MEAN_ERROR);
    assertThat(quality.p95(result -> result.chosen().error())).isLessThanOrEqualTo(P95_ERROR);
  }

  @Test
  void measuringCostsLittle() {
    assertThat(quality.mean(result -> result.chosen().costShare())).isLessThanOrEqualTo(COST_SHARE);
  }

  /** Runs also if a limit was exceeded: the page shows by how much. */
  @AfterAll
  void writePage() throws IOException {
    if (FULL) {
      Path page = Path.of("..", "docs", "profiling.md");
      Files.writeString(page, quality.writtenTo(Files.readString(page)));
    }
  }
}
