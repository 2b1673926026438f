package io.elastune.planner.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Checks limits on the quality of plans, for few jobs in the normal build. With {@code
 * -Delastune.quality=full} it checks many jobs and writes a section of docs/performance.md ({@link
 * QualityPage#COMMAND} is the whole command).
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlannerQualityTest {
  private static final boolean FULL = "full".equals(System.getProperty("elastune.quality"));
  private static final int SMALL = FULL ? 600 : Tier.runs(20, 60);
  private static final int HALVING = FULL ? 2_000 : Tier.runs(10, 30);
  private static final int NOISY = FULL ? 200 : Tier.runs(4, 10);
  private static final int NOISY_SMALL = FULL ? 300 : Tier.runs(12, 40);

  private static final double GREEDY_MEAN = 0.003;
  private static final double GREEDY_P99 = 0.05;
  private static final double PREMIUM = 0.02;

  /** The planner may miss a plan for one job in this many. */
  private static final int OVERLOOKED = 100;

  private static final double SAME = 1e-9;

  private List<String> mismatches = List.of();
  private List<HalvingJob> halving = List.of();
  private NoisyJobs ordinary = NoisyJobs.NONE;
  private NoisyJobs small = NoisyJobs.NONE;

  @Test
  @Order(1)
  void exactEqualsBruteForce() {
    mismatches =
        LongStream.range(0, SMALL)
            .parallel()
            .mapToObj(SmallJob::mismatches)
            .flatMap(List::stream)
            .toList();

    assertThat(mismatches).isEmpty();
  }

  @Test
  @Order(2)
  void greedySearchIsCloseToTheProvenOptimum() {
    halving = LongStream.range(0, HALVING).parallel().mapToObj(HalvingJob::of).toList();
    Statistics greedy =
        Statistics.of(halving.stream().mapToDouble(job -> job.gap(job.greedyUsd())));

    assertThat(greedy.mean()).isLessThanOrEqualTo(GREEDY_MEAN);
    assertThat(greedy.quantile(0.99)).isLessThanOrEqualTo(GREEDY_P99);
    assertThat(halving)
        .allSatisfy(
            job -> {
              assertThat(job.gap(job.greedyUsd())).isGreaterThan(-SAME);
              assertThat(job.gap(job.bestUsd())).isGreaterThan(-SAME);
              assertThat(job.bestUsd()).isLessThanOrEqualTo(job.greedyUsd() + SAME);
              assertThat(job.savings().orElse(1)).isGreaterThan(1 - SAME);
            });
  }

  @Test
  @Order(3)
  void predictionsHoldInOtherExecutions() {
    ordinary = NoisyJobs.of(NOISY, NoisyJob::ordinary);

    assertThat(ordinary.inaccurate()).isEmpty();
  }

  @Test
  @Order(4)
  void plansWithSpreadAreNearTheCheapest() {
    small = NoisyJobs.of(NOISY_SMALL, NoisyJob::small);

    assertThat(small.inaccurate()).isEmpty();
    assertThat(small.overlooked()).hasSizeLessThanOrEqualTo(NOISY_SMALL / OVERLOOKED);
    assertThat(small.premiums().mean()).isLessThanOrEqualTo(PREMIUM);
  }

  /** Runs also if a limit was exceeded: the page shows by how much. */
  @AfterAll
  void writePage() throws IOException {
    if (FULL) {
      Path docs = Path.of("..", "docs");
      Files.writeString(docs.resolve("planner-savings.svg"), SavingsChart.of(halving));
      String section = QualityPage.text(SMALL, mismatches.size(), halving, ordinary, small);
      QualityPage.write(docs.resolve("performance.md"), section);
    }
  }
}
