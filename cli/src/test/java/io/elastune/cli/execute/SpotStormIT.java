package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.properties.Tier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a job in the simulated cloud whose spot capacity is preempted in storms: it changes to
 * on-demand capacity and meets its deadline, and its screens say why.
 */
@Tag(Tier.NIGHTLY)
class SpotStormIT {
  private static final String JOB =
      ExampleFiles.REPOSITORY.resolve("configs/rehearsal/storms.yaml").toString();
  private static final double DEADLINE_S = 3600;
  private static final int STORMS = 3;

  /** With this seed, the run has three storms, leaves spot capacity and rents on demand. */
  private static final String SEED = "8";

  @TempDir private Path folder;

  @Test
  void runLeavesSpotAfterStormsAndMeetsItsDeadlineInTheSameWayAgain() {
    InProcessCli elastune = new InProcessCli(folder);
    JsonNode end = run(elastune);
    JsonNode decisions = decisions(elastune, end);

    assertThat(end.path("exit").asInt()).isZero();
    assertThat(storms(decisions)).isGreaterThanOrEqualTo(STORMS);
    assertThat(leftSpot(decisions)).isTrue();
    assertThat(usedOnDemand(elastune, end)).isTrue();
    check(elastune, end);

    JsonNode again = run(elastune);
    assertThat(withoutRun(decisions(elastune, again), again)).isEqualTo(withoutRun(decisions, end));
    assertThat(withoutRun(leases(elastune, again), again))
        .isEqualTo(withoutRun(leases(elastune, end), end));
    assertThat(again.path("metered_usd")).isEqualTo(end.path("metered_usd"));
    assertThat(again.path("completion_s")).isEqualTo(end.path("completion_s"));
  }

  private static JsonNode run(InProcessCli elastune) {
    String lines =
        elastune.run("run", JOB, "--infra", "simulated", "-y", "--json", "--seed", SEED).out();
    String last = lines.lines().reduce((before, after) -> after).orElseThrow();
    return JsonMapper.shared().readTree(last);
  }

  private static JsonNode decisions(InProcessCli elastune, JsonNode end) {
    return elastune.run("explain", end.path("run").asString(), "--json").json();
  }

  private static JsonNode leases(InProcessCli elastune, JsonNode end) {
    return elastune.run("report", end.path("run").asString(), "--json").json().path("leases");
  }

  /** Run IDs are random, and part of the names of leases. */
  private static String withoutRun(JsonNode document, JsonNode end) {
    return document.toString().replace(end.path("run").asString(), "RUN");
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
    return leases(elastune, end).values().stream()
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
