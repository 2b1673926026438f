package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests which plan of the frontier is chosen, and that every command chooses the same. */
class PreferenceTest {
  @TempDir Path folder;

  @BeforeEach
  void writesJobWhereInstancesBootAtOnce() throws IOException {
    for (String file : new String[] {"job.yaml", "profile.yaml"}) {
      Files.copy(ExampleFiles.WORKED.resolve(file), folder.resolve(file));
    }
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    Files.writeString(folder.resolve("offers.yaml"), offers.replaceAll("mean: 60", "mean: 1"));
  }

  @Test
  void deadlineIsMetByTheCheapestPlan() {
    InProcessCli.Result result = plan("--deadline", "1h", "--frontier", "--json");
    JsonNode json = result.json();

    assertThat(json.path("prefer").asString()).isEqualTo("cheapest");
    json.path("frontier")
        .forEach(
            point ->
                assertThat(point.path("cost_usd").asDouble())
                    .isGreaterThanOrEqualTo(json.at("/estimate/cost_usd/mean").asDouble()));
    assertThat(result.err())
        .contains(
            "chosen: the cheapest plan that meets the deadline (prefer: cheapest, the default"
                + " with a deadline)",
            "(--choice knee)");
  }

  /** With a budget only, the fastest plan was chosen, whatever it costs. */
  @Test
  void budgetAloneIsNotSpentOnACorner() throws IOException {
    withoutDeadline();
    InProcessCli.Result result = plan("--budget", "1000", "--frontier", "--json");
    JsonNode json = result.json();

    assertThat(json.path("prefer").asString()).isEqualTo("balanced");
    assertThat(json.path("choice").asInt()).isBetween(2, json.path("frontier").size() - 1);
    assertThat(result.err())
        .contains(
            "chosen: the best compromise of time and cost (prefer: balanced, the default without a"
                + " deadline)");
  }

  /** A simulated run executes the plan of the real one, although nothing is charged. */
  @ParameterizedTest
  @ValueSource(strings = {"--budget=1000", "--deadline=1h"})
  void simulationOfACloudPrefersWhatTheCloudDoes(String limit) throws IOException {
    withoutDeadline();
    JsonNode real = plan(limit, "--json").json();

    assertThat(plan(limit, "--infra", "simulated", "--json").json().path("prefer"))
        .isEqualTo(real.path("prefer"));
  }

  /** With a deadline, one core was used where two take half the time, for notional money. */
  @ParameterizedTest
  @ValueSource(strings = {"--budget=1000", "--deadline=1h"})
  void timeCountsWhereNothingIsCharged(String limit) throws IOException {
    withoutDeadline();
    Path offers = folder.resolve("offers.yaml");
    Files.writeString(offers, Files.readString(offers).replace("price: list", "price: notional"));
    InProcessCli.Result result = plan(limit, "--frontier", "--json");

    assertThat(result.json().path("prefer").asString()).isEqualTo("fastest");
    assertThat(result.json().path("choice").asInt()).isEqualTo(1);
    assertThat(result.err())
        .contains(
            "chosen: the fastest plan within the limits (prefer: fastest, the default where"
                + " nothing is charged)");
    assertThat(plan(limit, "--prefer", "cheapest", "--json").json().path("prefer").asString())
        .isEqualTo("cheapest");
  }

  @Test
  void preferenceOfTheJobIsThatOfEveryCommand() throws IOException {
    Path job = folder.resolve("job.yaml");
    Files.writeString(job, Files.readString(job) + "\nprefer: {hour_worth_usd: 1000000}\n");
    JsonNode json = plan("--infra", "simulated", "--frontier", "--json").json();

    assertThat(json.at("/prefer/hour_worth_usd").asDouble()).isEqualTo(1_000_000);
    assertThat(json.path("choice").asInt()).isEqualTo(1);
    InProcessCli.Result run = run("run", "job.yaml", "--infra", "simulated", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(
            JsonMapper.shared().readTree(run.out().lines().findFirst().orElseThrow()).path("plan"))
        .isEqualTo(json.path("plan"));
    InProcessCli.Result rehearsal =
        run(
            "rehearse",
            "job.yaml",
            "--infra",
            "simulated",
            "--seeds",
            "2",
            "--faults",
            "none",
            "--json");
    assertThat(rehearsal.json().at("/completion_s/predicted").toString())
        .startsWith(json.at("/estimate/completion_s/mean").toString().substring(0, 6));
  }

  @Test
  void optionOverridesThePreference() {
    JsonNode fastest = plan("--prefer", "fastest", "--frontier", "--json").json();
    JsonNode worth = plan("--prefer", "1000000", "--json").json();

    assertThat(fastest.path("prefer").asString()).isEqualTo("fastest");
    assertThat(fastest.path("choice").asInt()).isEqualTo(1);
    assertThat(worth.path("plan")).isEqualTo(fastest.path("plan"));
    assertThat(plan("--prefer", "hour_worth_usd=0.01", "--json").json().path("plan"))
        .isEqualTo(plan("--json").json().path("plan"));
    InProcessCli.Result wrong = plan("--prefer", "knee");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--prefer:", "balanced", "hour_worth_usd=5");
    assertThat(plan("--choice", "Knee").err()).contains("must be knee, or the number of a plan");
    assertThat(plan("--prefer", "-1").err()).contains("--prefer: must be above 0");
  }

  /** The gap is that of the plan that is shown. */
  @Test
  void gapIsThatOfTheChosenPlan() {
    JsonNode json = plan("--deadline", "1h", "--prefer", "fastest", "--json").json();
    double best = json.at("/optimum/cost_usd").asDouble();

    assertThat(json.at("/optimum/gap").asDouble())
        .isCloseTo(
            json.at("/estimate/cost_usd/mean").asDouble() / best - 1,
            org.assertj.core.data.Offset.offset(1e-9));
  }

  @Test
  void kneeIsChosenByItsName() throws IOException {
    JsonNode own = plan("--deadline", "1h", "--json").json();
    JsonNode knee =
        plan("--infra", "simulated", "--deadline", "1h", "--choice", "knee", "--json").json();

    assertThat(knee.path("choice")).isEqualTo(own.at("/knee/choice"));
    Path saved = folder.resolve("plan.json");
    plan("--infra", "simulated", "--deadline", "1h", "--frontier", "-o", saved.toString());
    InProcessCli.Result run = run("run", "plan.json", "-y", "--choice", "knee", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(
            JsonMapper.shared().readTree(run.out().lines().findFirst().orElseThrow()).path("plan"))
        .isEqualTo(knee.path("plan"));
  }

  @Test
  void promptOffersTheKneeWithItsPrice() {
    JsonNode knee =
        plan("--infra", "simulated", "--deadline", "1h", "--choice", "knee", "--json").json();
    InProcessCli.Result run =
        InProcessCli.at(folder, folder.resolve("home"))
            .answering("knee")
            .run("run", "job.yaml", "--infra", "simulated", "--deadline", "1h", "--json");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err())
        .containsPattern("Type 'yes' for \\S+ at ~\\$\\S+, or 'knee' for \\S+ at ~\\$");
    assertThat(
            JsonMapper.shared().readTree(run.out().lines().findFirst().orElseThrow()).path("plan"))
        .isEqualTo(knee.path("plan"));
    assertThat(
            InProcessCli.at(folder, folder.resolve("home"))
                .answering("kneee")
                .run("run", "job.yaml", "--infra", "simulated", "--deadline", "1h")
                .exit())
        .isEqualTo(3);
  }

  @Test
  void frontierWithoutKneeHasNone() {
    InProcessCli.Result result =
        InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
            .run("plan", "job.yaml", "--choice", "knee");

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--choice: this frontier has no knee", "--prefer balanced");
  }

  private void withoutDeadline() throws IOException {
    Path job = folder.resolve("job.yaml");
    Files.writeString(
        job,
        Files.readString(job).replaceAll("(?m)^(deadline|budget):.*$", "")
            + "\nbudget: {usd: 1000}\n");
  }

  private InProcessCli.Result plan(String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "plan";
    arguments[1] = "job.yaml";
    System.arraycopy(more, 0, arguments, 2, more.length);
    return run(arguments);
  }

  private InProcessCli.Result run(String... arguments) {
    return InProcessCli.at(folder, folder.resolve("home")).run(arguments);
  }
}
