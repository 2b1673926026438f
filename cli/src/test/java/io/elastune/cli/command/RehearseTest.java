package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RehearseTest {
  private static final String JOB = ExampleFiles.WORKED.resolve("job.yaml").toString();

  @TempDir private Path folder;

  @Test
  void executedRunsMatchPrediction() {
    InProcessCli.Result result = rehearse("--faults", "none", "--seeds", "300", "--json");
    JsonNode json = result.json();

    assertThat(result.exit()).isZero();
    assertThat(json.propertyNames())
        .contains(
            "seeds",
            "on_time",
            "in_budget",
            "completion_s",
            "cost_usd",
            "broken",
            "runs_per_second",
            "failing_seeds");
    assertThat(json.path("seeds").asInt()).isEqualTo(300);
    for (String figure : List.of("completion_s", "cost_usd")) {
      double predicted = json.path(figure).path("predicted").asDouble();
      assertThat(json.path(figure).path("executed").asDouble())
          .as(figure)
          .isCloseTo(predicted, within(0.02 * predicted));
    }
    assertThat(json.path("broken").propertyNames())
        .containsExactly(
            "leaked", "lost_trials", "extra_units", "double_leases", "over_budget", "wrong_exit");
    assertThat(json.path("broken").values()).allMatch(count -> count.asInt() == 0);
    assertThat(json.path("failing_seeds")).isEmpty();
  }

  @Test
  void screenShowsComparisonAndCounts() {
    InProcessCli.Result result = rehearse("--faults", "none", "--seeds", "20", "--seed", "5");

    assertThat(result.exit()).isZero();
    assertThat(result.out().lines().toList())
        .anyMatch(line -> line.startsWith("Rehearsal of worked-example    20 runs"))
        .anyMatch(line -> line.contains("seeds 5 to 24"))
        .anyMatch(line -> line.matches(" finish +\\S+ \\(95% within \\S+\\) +\\S+ \\(95%.*"))
        .anyMatch(line -> line.startsWith(" ended with  20 × 0 (done;"))
        .anyMatch(line -> line.contains("leaked 0 · lost trials 0 · extra units 0"));
  }

  @Test
  void sameSeedsGiveSameResult() {
    assertThat(rehearse("--seeds", "20", "--json"))
        .isEqualTo(rehearse("--seeds", "20", "--json", "--seed", "1"));
  }

  @Test
  void heavyFaultsViolateNoGuarantee() {
    InProcessCli.Result result = rehearse("--faults", "heavy", "--seeds", "150", "--json");

    assertThat(result.json().path("failing_seeds")).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.json().path("broken").values()).allMatch(count -> count.asInt() == 0);
    JsonNode unused = result.json().path("budget_unused_usd");
    assertThat(unused.path("least").asDouble(-1)).isNotNegative();
    assertThat(unused.path("mean").asDouble()).isGreaterThan(unused.path("least").asDouble());
    assertThat(result.json().path("faults").propertyNames())
        .contains("controller killed", "preempted", "event lost", "call throttled", "trial hung");
  }

  /** With heavy faults, the job misses its deadline, and needs twice its predicted cost. */
  @Test
  void runsThatStopOnPurposeViolateNoGuarantee() throws IOException {
    String halving = ExampleFiles.rehearsal("halving.yaml");
    Path atDeadline = folder.resolve("deadline.yaml");
    Files.writeString(atDeadline, halving + "deadline_miss: stop\n");
    Path beforeGroup = folder.resolve("group.yaml");
    Files.writeString(
        beforeGroup,
        halving.replaceFirst("(?m)^budget: .*$", "budget: {usd: 5.5, on_reach: finish-group}"));

    InProcessCli.Result stopped = heavy(atDeadline);
    InProcessCli.Result ended = heavy(beforeGroup);

    assertThat(stopped.out()).contains("× 13 (stopped at the deadline)");
    assertThat(ended.out()).contains("× 11 (stopped because the budget was reached)");
    assertThat(List.of(stopped.exit(), ended.exit())).containsOnly(0);
  }

  private InProcessCli.Result heavy(Path job) {
    return new InProcessCli(folder)
        .run("rehearse", job.toString(), "--faults", "heavy", "--seeds", "40");
  }

  @Test
  void saysThatItExecutesAPlanWithoutFaults() {
    String[] tight = {
      "--max-instances", "2", "--deadline", "390s", "--confidence", "0.99", "--seeds", "5"
    };
    InProcessCli.Result result = rehearse(tight);
    JsonNode json = rehearse(concat(tight, "--json")).json();

    assertThat(result.out()).contains("no plan meets the limits with these faults");
    assertThat(json.path("planned_without_faults").asBoolean()).isTrue();
    assertThat(json.path("promised").path("on_time").asDouble()).isLessThan(0.99);
    assertThat(rehearse("--seeds", "5").out()).doesNotContain("no plan meets");
  }

  private static String[] concat(String[] some, String last) {
    return Stream.concat(Arrays.stream(some), Stream.of(last)).toArray(String[]::new);
  }

  /**
   * The search is 16 × 1, 8 × 1, 4 × 2 and 2 × 4 epochs, and an epoch takes 30 s in the profile.
   */
  @Test
  void trialsFollowLearningCurves() throws IOException {
    String usual = curves(30).toString();
    String slow = curves(60).toString();
    String[] quiet = {"--faults", "none", "--seeds", "20", "--deadline", "1h", "--json"};
    double usualS = completionS(concat(concat(quiet, "--curves"), usual));
    double slowS = completionS(concat(concat(quiet, "--curves"), slow));

    assertThat(slowS).isGreaterThan(1.4 * usualS);
    assertThat(rehearse("--curves", slow, "--slower", "2").err())
        .contains("the learning curves have durations of their own");
    assertThat(rehearse("--curves", slow, "--seeds", "1").out()).isNotEmpty();
  }

  private double completionS(String... options) {
    return rehearse(options).json().path("completion_s").path("executed").asDouble();
  }

  /** Curves of 16 trials, each with so many seconds per epoch on one GPU. */
  private Path curves(int secondsPerEpoch) throws IOException {
    StringBuilder csv = new StringBuilder("trial,unit,metric,seconds\n");
    for (int trial = 1; trial <= 16; trial++) {
      for (int unit = 1; unit <= 8; unit++) {
        csv.append("%d,%d,0.%02d,%d%n".formatted(trial, unit, 10 + trial, secondsPerEpoch));
      }
    }
    return Files.writeString(folder.resolve("curves-" + secondsPerEpoch + ".csv"), csv);
  }

  @Test
  void rejectsUnknownFaults() {
    InProcessCli.Result result = rehearse("--faults", "some");

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("must be none, normal or heavy, not 'some'");
  }

  private InProcessCli.Result rehearse(String... options) {
    List<String> arguments = new ArrayList<>(List.of("rehearse", JOB));
    arguments.addAll(
        List.of(
            "--profile",
            ExampleFiles.WORKED.resolve("profile-spread.yaml").toString(),
            "--offers",
            ExampleFiles.WORKED.resolve("offers-spread.yaml").toString()));
    arguments.addAll(List.of(options));
    return new InProcessCli(folder).run(arguments.toArray(String[]::new));
  }
}
