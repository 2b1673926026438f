package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.GoldenFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the time–cost frontier as a table, as JSON and as a chart, and infeasible jobs. */
class PlanFrontierTest {
  @TempDir Path folder;

  @Test
  void chartIsSelfContainedAndDeterministic() throws Exception {
    Path first = folder.resolve("first.svg");
    Path second = folder.resolve("second.svg");
    assertThat(plan("--svg", first.toString()).out()).contains("Chart saved to " + first);
    assertThat(plan("--svg", second.toString(), "--frontier").exit()).isZero();

    String svg = Files.readString(first);
    assertThat(svg).isEqualTo(Files.readString(second));
    assertThat(svg)
        .contains("prefers-color-scheme: dark")
        .contains("this plan: ~5m39s for ~$1.72")
        .contains("deadline 7m10s")
        .contains("best static cluster")
        .doesNotContain("href", "https://", "<script", "<image");
    assertThat(parsed(svg).getElementsByTagName("circle").getLength())
        .as("13 points and the static cluster")
        .isEqualTo(14);
  }

  @Test
  void timeLimitLeavesPlanUnproven() {
    InProcessCli.Result result = plan("--time-limit", "0s");

    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .contains("on time 100%", "not proven optimal: the time limit was reached");
    assertThat(plan("--time-limit", "soon"))
        .satisfies(
            refused -> {
              assertThat(refused.exit()).isEqualTo(2);
              assertThat(refused.err()).contains("--time-limit", "0.5s, 2s or 1m30s, not 'soon'");
            });
  }

  @Test
  void showsFrontierWithoutFeasiblePlan() throws Exception {
    Path file = folder.resolve("none.svg");
    InProcessCli.Result result =
        plan("--deadline", "100s", "--budget", "1.2", "--frontier", "--svg", file.toString());

    assertThat(result.exit()).isEqualTo(10);
    assertThat(Files.readString(file))
        .contains("deadline 1m40s", "budget $1.20")
        .doesNotContain("this plan");
    GoldenFiles.check("plan-infeasible-frontier", result.out().replace(file.toString(), "FILE"));
  }

  @Test
  void reportsUnwritableChart() {
    InProcessCli.Result result = plan("--svg", folder + "/nowhere/f.svg");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("nowhere/f.svg").contains("no such file or folder");
  }

  @Test
  void frontierPlansSimulateToSameFigures() throws IOException {
    JsonNode frontier = plan("--frontier", "--json").json().path("frontier");
    assertThat(frontier.size()).isEqualTo(13);
    for (JsonNode point : frontier) {
      Path file = folder.resolve("point.json");
      Files.writeString(file, JsonMapper.shared().writeValueAsString(point));
      JsonNode estimate =
          run("simulate", "job.yaml", file.toString(), "--json").json().path("estimate");
      assertThat(estimate.path("completion_s").path("mean").asDouble())
          .isEqualTo(point.path("completion_s").asDouble());
      assertThat(estimate.path("cost_usd").path("mean").asDouble())
          .isEqualTo(point.path("cost_usd").asDouble());
    }
  }

  @Test
  void optionsOverrideResourcesAndTrials() {
    JsonNode small =
        plan(
                "--trials",
                "8",
                "--max-instances",
                "1",
                "--gpu",
                "v100",
                "--deadline",
                "20m",
                "--json")
            .json();
    assertThat(small.path("plan").path(0).path("trials").asInt()).isEqualTo(8);
    for (JsonNode group : small.path("plan")) {
      assertThat(group.path("instances").asInt()).isEqualTo(1);
    }
    assertThat(plan("--instance-types", "p3.8xlarge", "--market", "on-demand").exit()).isZero();
    InProcessCli.Result none = plan("--gpu", "A100,L4");
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("GPU A100, L4, market on-demand");
    InProcessCli.Result wrong = plan("--market", "spott", "--max-instances", "0");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--market: must be", "--max-instances: must be");
    InProcessCli.Result noJob = run("check", "--gpu", "A10G");
    assertThat(noJob.exit()).isEqualTo(2);
    assertThat(noJob.err()).startsWith("JOB: is missing");
  }

  @Test
  void tableNamesOffersIfThereAreSeveral() throws IOException {
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    String small =
        offers
            .substring(offers.indexOf("  - infra"))
            .replace("p3.8xlarge", "p3.2xlarge")
            .replace("gpus: 4", "gpus: 1")
            .replace("12.24", "3.06");
    Path both = Files.writeString(folder.resolve("both.yaml"), offers + small);

    List<String> lines = plan("--offers", both.toString(), "--frontier").out().lines().toList();

    assertThat(lines).anyMatch(line -> line.contains("×1 on p3.2xlarge"));
    assertThat(lines).anyMatch(line -> line.endsWith("<- the plan above"));
  }

  @Test
  void reportsShortfallAndNearestLimits() {
    JsonNode either = plan("--deadline", "175s", "--budget", "1.6", "--json").json();
    assertThat(either.path("nearest").path("together").asBoolean()).isFalse();
    assertThat(either.path("violated").size()).isEqualTo(2);
    double by = either.path("fails_by").path("deadline_s").asDouble();
    assertThat(either.path("nearest").path("deadline_s").asDouble()).isEqualTo(175 + by);

    JsonNode both = plan("--deadline", "100s", "--budget", "1.2", "--json").json();
    assertThat(both.path("nearest").path("together").asBoolean()).isTrue();
    String deadline = Math.nextUp((float) both.path("nearest").path("deadline_s").asDouble()) + "s";
    String budget = both.path("nearest").path("budget_usd").asString();
    assertThat(plan("--deadline", deadline, "--budget", budget).exit()).isZero();

    JsonNode late = plan("--deadline", "100s", "--budget", "3", "--json").json();
    assertThat(late.path("violated").size()).isEqualTo(1);
    assertThat(late.path("fails_by").path("budget_usd").isNull()).isTrue();
    assertThat(late.path("nearest").path("budget_usd").asDouble()).isEqualTo(3);
  }

  @Test
  void suggestedOptionsMakePlanFeasible() {
    String line =
        plan("--deadline", "100s", "--budget", "1.2")
            .out()
            .lines()
            .filter(some -> some.contains("try: "))
            .findFirst()
            .orElseThrow();
    String[] options = line.substring(line.indexOf("--")).split(" ", -1);
    assertThat(plan(options).exit()).isZero();
  }

  @Test
  void namesInterpolatedSpeedAsAssumed() throws IOException {
    Path plan = folder.resolve("plan.json");
    String offer = "aws/us-east-1/p3.8xlarge/on-demand";
    StringBuilder rows = new StringBuilder();
    int[] gpus = {1, 1, 3, 4};
    for (int group = 0; group < gpus.length; group++) {
      rows.append(group == 0 ? "" : ",")
          .append(
              "{\"group\":\"%d\",\"offer\":\"%s\",\"instances\":3,\"gpus_per_trial\":%d}"
                  .formatted(group + 1, offer, gpus[group]));
    }
    Files.writeString(plan, "{\"hold\":false,\"plan\":[" + rows + "]}");

    String screen = run("simulate", "job.yaml", plan.toString()).out();

    assertThat(screen)
        .contains("~ assumed, from measured GPU counts: seconds per unit at 3 GPUs (interpolated)");
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
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
