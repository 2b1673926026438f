package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the knee of the frontier, and the option {@code --choice} of plan and run. */
class PlanChoiceTest {
  @TempDir Path folder;

  @Test
  void showsAndSavesThePlanOfTheNumber() throws IOException {
    Path file = folder.resolve("plan.json");
    JsonNode frontier = plan("--frontier", "--json").json().path("frontier");
    JsonNode json = plan("--choice", "10", "--frontier", "-o", file.toString(), "--json").json();

    assertThat(json.path("choice").asInt()).isEqualTo(10);
    assertThat(json.path("feasible").asBoolean()).isTrue();
    assertThat(json.path("plan")).isEqualTo(frontier.path(9).path("plan"));
    assertThat(json.at("/estimate/completion_s/mean").asDouble())
        .isEqualTo(frontier.path(9).path("completion_s").asDouble());
    assertThat(json.at("/estimate/cost_usd/mean").asDouble())
        .isEqualTo(frontier.path(9).path("cost_usd").asDouble());
    assertThat(json.path("frontier")).isEqualTo(frontier);
    double best = plan("--json").json().at("/optimum/cost_usd").asDouble();
    assertThat(json.at("/optimum/gap").asDouble())
        .isEqualTo(frontier.path(9).path("cost_usd").asDouble() / best - 1);
    JsonNode saved = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(saved.path("plan")).isEqualTo(json.path("plan"));
    assertThat(saved.path("choice").asInt()).isEqualTo(10);
  }

  @Test
  void screenNamesThePlannersOwnPlan() {
    assertThat(plan("--choice", "10").out())
        .contains(
            "finish ~4m42s", "choice 10 of 13; without --choice the plan is: ~5m39s for ~$1.72");
    String own = plan().out();
    assertThat(plan("--choice", "12").out()).isEqualTo(own);
  }

  @Test
  void numbersTheFrontierFromTheFastest() {
    JsonNode json = plan("--frontier", "--json").json();
    assertThat(json.path("choice").asInt()).isEqualTo(12);
    for (int i = 0; i < json.path("frontier").size(); i++) {
      assertThat(json.path("frontier").path(i).path("choice").asInt()).isEqualTo(i + 1);
    }
    assertThat(json.path("knee").isNull()).isTrue();
  }

  @Test
  void refusesNumbersThatTheFrontierLacks() {
    InProcessCli.Result result = plan("--choice", "14");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--choice: must be from 1 to 13, is 14");
    for (String number : List.of("0", "-1", "x", "1.5")) {
      assertThat(plan("--choice=" + number).exit()).isEqualTo(2);
    }
  }

  /** A plan that misses the deadline or the budget is not started, not even on request. */
  @Test
  void refusesPlansThatMissALimit() {
    for (String command : List.of("plan", "run")) {
      InProcessCli.Result late = run(command, "job.yaml", "--infra", "simulated", "--choice", "13");
      assertThat(late.exit()).isEqualTo(10);
      assertThat(late.err())
          .contains("plan 13 finishes in 7m39s", "deadline of 7m", "probability of 0%")
          .contains("these meet the limits: 1, 2,", "--deadline");
    }
    InProcessCli.Result expensive = plan("--budget", "2", "--choice", "1");
    assertThat(expensive.exit()).isEqualTo(10);
    assertThat(expensive.err()).contains("plan 1 costs $3.85", "budget of $2.00");
  }

  @Test
  void namesTheKnee() throws IOException {
    // Where instances boot in a second, more of them cost little and save much.
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    Path file =
        Files.writeString(folder.resolve("offers.yaml"), offers.replaceAll("mean: 60", "mean: 1"));
    Path chart = folder.resolve("chart.svg");
    InProcessCli.Result result =
        plan(
            "--offers",
            file.toString(),
            "--deadline",
            "1h",
            "--frontier",
            "--json",
            "--svg",
            chart.toString());

    JsonNode knee = result.json().path("knee");
    JsonNode point = result.json().path("frontier").path(knee.path("choice").asInt() - 1);
    JsonNode own = result.json().path("estimate");
    assertThat(knee.path("completion_s")).isEqualTo(point.path("completion_s"));
    assertThat(knee.path("saved_s").asDouble())
        .isEqualTo(own.at("/completion_s/mean").asDouble() - point.path("completion_s").asDouble());
    assertThat(knee.path("extra_usd").asDouble())
        .isEqualTo(point.path("cost_usd").asDouble() - own.at("/cost_usd/mean").asDouble());
    assertThat(result.err()).contains(" knee: ", "less time for", "<- knee");
    assertThat(Files.readString(chart)).contains("class=\"knee\"", ">knee: ");
  }

  @Test
  void savedPlanWithoutFrontierHasNoChoices() throws IOException {
    Path file = folder.resolve("plan.json");
    assertThat(plan("--infra", "simulated", "-o", file.toString()).exit()).isZero();
    InProcessCli.Result none = run("run", file.toString(), "-y", "--choice", "2");
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("contains no other plans", "plan --frontier -o");

    assertThat(plan("--infra", "simulated", "--frontier", "-o", file.toString()).exit()).isZero();
    InProcessCli.Result beyond = run("run", file.toString(), "-y", "--choice", "99");
    assertThat(beyond.exit()).isEqualTo(2);
    assertThat(beyond.err()).contains("must be from 1 to 13, is 99");
    assertThat(run("run", file.toString(), "-y", "--choice", "13").exit()).isEqualTo(10);
    assertThat(folder.resolve("home/runs")).doesNotExist();
  }

  /** The numbers of run are those of plan, and -y starts the plan of that number. */
  @Test
  void runsThePlanOfTheNumber() {
    JsonNode point =
        plan("--infra", "simulated", "--frontier", "--json").json().path("frontier").path(6);
    InProcessCli.Result run =
        run("run", "job.yaml", "--infra", "simulated", "--choice", "7", "-y", "--json");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(
            JsonMapper.shared().readTree(run.out().lines().findFirst().orElseThrow()).path("plan"))
        .isEqualTo(point.path("plan"));
  }

  /** A run uses the instances of one provider. */
  @Test
  void saysWhatCannotBeStarted() throws IOException {
    String places = "aws/us-east-1,gcp/us-central1";
    String own = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    String offer = own.substring(own.indexOf("  - infra"));
    Path offers = folder.resolve("both.yaml");
    Files.writeString(offers, own + "\n" + offer.replace("aws/us-east-1", "gcp/us-central1"));
    assertThat(
            plan("--infra", places, "--offers", offers.toString(), "-o", folder + "/both.json")
                .out())
        .contains(
            "This plan cannot be started: job.yaml:19: resources.infra: a run uses instances of one"
                + " provider, and these offers are of aws and gcp (name locations of one of them in"
                + " resources.infra or --infra). Execute it",
            "Plan saved to")
        .doesNotContain("Start it with");
    assertThat(plan("-o", folder.resolve("p.json").toString()).out())
        .doesNotContain("cannot be started")
        .contains("Start it with");
  }

  private InProcessCli.Result plan(String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "plan";
    arguments[1] = "job.yaml";
    System.arraycopy(more, 0, arguments, 2, more.length);
    return run(arguments);
  }

  private InProcessCli.Result run(String... arguments) {
    return InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home")).run(arguments);
  }
}
