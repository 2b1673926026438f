package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs whose market the planner chooses, on capacity that is preempted in storms. */
class MarketAutoTest {
  private static final String JOB =
      ExampleFiles.REPOSITORY.resolve("configs/rehearsal/spot.yaml").toString();
  private static final int RUNS = 40;

  @TempDir private Path folder;

  @Test
  void planSaysWhatSpotSavesAndRisks() {
    InProcessCli.Result plan = new InProcessCli(folder).run("plan", JOB);

    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out())
        .contains("g5.12xlarge/spot")
        .containsPattern(
            " spot: saves ~?\\$[0-9.]+ \\([0-9]+%\\) against the same plan on demand, on time")
        .contains("3.0 preemptions per instance and hour");
  }

  @Test
  void jsonHasTheSavingAndTheRisk() {
    JsonNode plan = new InProcessCli(folder).run("plan", JOB, "--json").json();
    JsonNode spot = plan.path("spot");

    assertThat(spot.path("saved_share").asDouble()).isBetween(0.2, 0.7);
    assertThat(spot.path("saved_usd").asDouble()).isPositive();
    assertThat(spot.path("on_time").asDouble()).isBetween(0.85, 1.0);
    assertThat(spot.path("on_time_on_demand").asDouble()).isBetween(0.85, 1.0);
    assertThat(spot.path("preemptions_per_hour").asDouble()).isEqualTo(3.0);
    JsonNode onDemand =
        new InProcessCli(folder).run("plan", JOB, "--market", "on-demand", "--json").json();
    assertThat(onDemand.has("spot")).isFalse();
  }

  @Test
  void mixOfMarketsMeetsTheDeadlineDuringStorms() {
    JsonNode mixed = rehearse("auto");

    // 40 runs have a standard error of 0.047 at the confidence of 0.9.
    assertThat(mixed.path("on_time").asDouble()).isGreaterThanOrEqualTo(0.8);
    assertThat(mixed.path("faults").path("preempted").asInt()).isGreaterThan(3 * RUNS / 2);
    assertThat(mixed.path("broken").values()).allMatch(count -> count.asInt() == 0);
  }

  private JsonNode rehearse(String market) {
    InProcessCli.Result result =
        new InProcessCli(folder)
            .run(
                "rehearse",
                JOB,
                "--market",
                market,
                "--faults",
                "normal",
                "--replan",
                "--seeds",
                Integer.toString(RUNS),
                "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    return result.json();
  }
}
