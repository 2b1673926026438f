package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a job in the simulated cloud whose spot capacity is preempted in storms: it changes to
 * on-demand capacity and meets its deadline, and its screens say why.
 */
class SpotStormIT {
  private static final String JOB =
      ExampleFiles.REPOSITORY.resolve("configs/rehearsal/storms.yaml").toString();
  private static final double DEADLINE_S = 3600;
  private static final int STORMS = 3;

  /**
   * The most seeds that are tried. About a quarter of the runs have three storms, leave spot
   * capacity and rent on demand; a seed does not decide it, because run IDs and waits differ.
   */
  private static final int SEEDS = 24;

  @TempDir private Path folder;

  @Test
  void runLeavesSpotAfterStormsAndMeetsItsDeadline() {
    InProcessCli elastune = new InProcessCli(folder);
    for (int seed = 2; seed < 2 + SEEDS; seed++) {
      InProcessCli.Result run =
          elastune.run(
              "run", JOB, "--infra", "simulated", "-y", "--json", "--seed", Integer.toString(seed));
      String last = run.out().lines().reduce((before, after) -> after).orElseThrow();
      JsonNode end = JsonMapper.shared().readTree(last);
      JsonNode decisions = elastune.run("explain", end.path("run").asString(), "--json").json();
      if (run.exit() == 0
          && storms(decisions) >= STORMS
          && leftSpot(decisions)
          && usedOnDemand(elastune, end)) {
        check(elastune, end);
        return;
      }
    }
    throw new AssertionError("no run left spot capacity and met its deadline");
  }

  private static void check(InProcessCli elastune, JsonNode end) {
    String run = end.path("run").asString();
    assertThat(end.path("completion_s").asDouble()).isLessThanOrEqualTo(DEADLINE_S);
    assertThat(end.path("instances_left").asInt()).isZero();

    assertThat(elastune.run("explain", run).out().replaceAll("\\s+", " "))
        .contains("on demand instead of spot, which would not meet the deadline", "lost");
    assertThat(elastune.run("report", run).out())
        .contains("finished, exit 0", "g5.12xlarge/spot", "g5.12xlarge/on-demand");
  }

  private static boolean leftSpot(JsonNode decisions) {
    return decisions.values().stream()
        .anyMatch(
            one -> one.path("reason").asString().contains("on demand instead of spot, which"));
  }

  /** A run may return to spot before an instance on demand is requested. */
  private static boolean usedOnDemand(InProcessCli elastune, JsonNode end) {
    JsonNode report = elastune.run("report", end.path("run").asString(), "--json").json();
    return report.path("leases").values().stream()
        .anyMatch(lease -> lease.path("offer").asString().endsWith("/on-demand"));
  }

  /** Returns the minutes in which the cloud announced preemptions. */
  private static int storms(JsonNode decisions) {
    Set<Long> minutes = new HashSet<>();
    decisions.values().stream()
        .filter(one -> one.path("decision").asString().equals("notice"))
        .forEach(one -> minutes.add(Math.round(one.path("at_s").asDouble() / 60)));
    return minutes.size();
  }
}
