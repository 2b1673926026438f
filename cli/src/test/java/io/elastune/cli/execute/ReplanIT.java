package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.cli.testing.TrialClock;
import io.elastune.core.properties.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Tests runs whose trials take more than twice as long as profiled. Their processes are real, and
 * their clock advances only with the units of the trials.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReplanIT {
  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
  }

  /**
   * According to the profile, one instance takes 27 s; it actually takes 54 s. With eight instances
   * the rest takes less than 16 s.
   */
  @Test
  void replansInTheFirstGroupAndMeetsTheDeadline() throws Exception {
    TinyJob job =
        slow("slow", "trials: 12, eta: 2")
            .profile("[{gpus: 1, seconds: 1.5}]")
            .with("deadline", "40s")
            .with("resources", rented(8));

    CommandResult run = run(job, 3).assertExit(0);

    List<JsonNode> decisions = decisions(run.run());
    assertThat(decisions.stream().map(ReplanIT::name))
        .containsSubsequence("start group 1", "re-plan", "start group 2");
    assertThat(reason(decisions, "re-plan")).contains(" instead of 1 x local/solo/");
    JsonNode numbers = first(decisions, "re-plan").path("numbers");
    assertThat(numbers.path("stay_s").asDouble()).isGreaterThan(numbers.path("move_s").asDouble());
    assertThat(numbers.propertyNames())
        .contains("deadline_s", "forecast_s", "pace", "stay_usd", "move_usd");
    assertThat(run.lastLine().path("leases").asInt()).isGreaterThan(1);
    assertThat(run.lastLine().path("instances_left").asInt(-1)).isZero();
    Leftovers.assertNone(elastune.home(), run.run());
  }

  /** Stumble B4: the profiled start-up is far longer than the actual one, and units are exact. */
  @Test
  @Tag(Tier.NIGHTLY)
  void shortStartupsDoNotShrinkTheCluster() throws Exception {
    TinyJob job =
        slow("warm", "trials: 8, eta: 2")
            .startup(4)
            .search("{algorithm: sha, trials: 8, eta: 2, ", "min: 1, max: 8")
            .with("deadline", "60s")
            .with("resources", rented(4));

    CommandResult run = run(job, 0.5).assertExit(0);

    assertThat(decisions(run.run()).stream().map(ReplanIT::name)).doesNotContain("at_risk");
    assertThat(decisions(run.run()).stream().filter(d -> name(d).equals("pace")))
        .noneMatch(decision -> decision.at("/numbers/pace").asDouble() < 0.8);
  }

  /** Only one instance is available, so the run can only report the risk. */
  @Test
  @Tag(Tier.NIGHTLY)
  void reportsInfeasibleDeadlineInTheFirstGroup() throws Exception {
    Path log = folder.resolve("notifications");
    TinyJob job =
        slow("late", "trials: 4, eta: 2")
            .with("deadline", "9s")
            .with("resources", rented(1))
            .with("notify", "[{command: 'cat >> " + log + "', on: [at_risk, finished]}]");

    CommandResult run = run(job, 1.8).assertExit(13);

    List<JsonNode> decisions = decisions(run.run());
    assertThat(decisions.stream().map(ReplanIT::name))
        .containsSubsequence("start group 1", "at_risk", "stay", "start group 2")
        .containsOnlyOnce("at_risk");
    assertThat(reason(decisions, "stay")).contains("the deadline can no longer be met");
    JsonNode numbers = first(decisions, "at_risk").path("numbers");
    assertThat(numbers.path("forecast_s").asDouble())
        .isGreaterThan(numbers.path("deadline_s").asDouble());
    assertThat(Files.readAllLines(log))
        .hasSize(2)
        .first()
        .asString()
        .contains("at_risk", reason(decisions, "at_risk"));
  }

  /** According to the profile it costs $0.28; the slow trials raise that to $0.63. */
  @Test
  void promptsForHigherBudgetAtTheTerminal() throws Exception {
    TinyJob job =
        slow("dear", "trials: 6, eta: 2")
            .price(180)
            .with("deadline", "10h")
            .with("resources", rented(1))
            .with("budget", "{usd: 0.5}");

    try (TrialClock clock = clock(1.3)) {
      InProcessCli.Result run =
          elastune.inProcess(clock).answering("yes", "yes").run("run", write(job));
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.out()).contains("Type 'yes' to confirm: ", "Raise the budget to $");
    }

    JsonNode report = elastune.inProcess("report", "--json").assertExit(0).json();
    assertThat(report.path("cost_usd").asDouble()).isGreaterThan(0.5);
    List<JsonNode> decisions = decisions(report.path("run").asString());
    assertThat(reason(decisions, "over_budget")).contains("more than its budget of $0.50");
    assertThat(reason(decisions, "budget")).isEqualTo("the user increased the budget");
  }

  /** Returns a job whose profile has 0.5 s per unit. */
  private static TinyJob slow(String name, String trials) {
    return new TinyJob(name)
        .search("{algorithm: sha, " + trials + ", ", "min: 1, max: 2")
        .profile("[{gpus: 1, seconds: 0.5}]");
  }

  private static String rented(int atMost) {
    return "{infra: [local], offers: offers.yaml, instance_types: [solo], max_instances: "
        + atMost
        + "}";
  }

  private Path waits() {
    return folder.resolve("waits");
  }

  private String write(TinyJob job) throws Exception {
    return job.with("trial", "{run: exec sh timed.sh, gpus: 1, envs: {WAITS: " + waits() + "}}")
        .write(folder.resolve("jobs"))
        .toString();
  }

  private TrialClock clock(double unitS) throws Exception {
    return new TrialClock(waits(), elastune.home(), unitS);
  }

  /** Runs a job whose units take {@code unitS}. */
  private CommandResult run(TinyJob job, double unitS) throws Exception {
    try (TrialClock clock = clock(unitS)) {
      return elastune.inProcess(clock, "run", write(job), "-y", "--json");
    }
  }

  private List<JsonNode> decisions(String run) {
    return elastune.inProcess("explain", run, "--json").assertExit(0).json().valueStream().toList();
  }

  private static String name(JsonNode decision) {
    return decision.path("decision").asString();
  }

  private static String reason(List<JsonNode> decisions, String name) {
    return first(decisions, name).path("reason").asString();
  }

  private static JsonNode first(List<JsonNode> decisions, String name) {
    return decisions.stream()
        .filter(decision -> name(decision).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no decision " + name + " in " + decisions));
  }
}
