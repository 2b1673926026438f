package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.GoldenFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class SimulateTest {
  private static final String JOB = ExampleFiles.WORKED.resolve("job.yaml").toString();
  private static final int SAMPLES = 200_000;
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "plan-static, 200.018, 2.5296, 115.000 141.043 168.582 200.018",
    "plan-shrinking, 242.163, 2.2304, 115.000 155.000 197.086 242.163",
    "plan-growing-back, 364.249, 2.0570, 155.000 235.000 319.171 364.249",
    "plan-odd-sizes, 305.438, 2.7030, 155.000 195.000 260.360 305.438",
  })
  void predictsWorkedExamplesExactly(String plan, double seconds, double usd, String groupEnds) {
    JsonNode json = simulate(plan).json();

    assertThat(names(json))
        .containsExactly("estimate", "groups", "spending_guard_usd", "completion_by", "would_help");
    JsonNode estimate = json.path("estimate");
    assertThat(names(estimate))
        .containsExactly(
            "completion_s",
            "cost_usd",
            "on_time",
            "in_budget",
            "samples",
            "sampling_error",
            "cost_by");
    for (String statistic : List.of("mean", "p5", "p50", "p95")) {
      assertThat(estimate.path("completion_s").path(statistic).asDouble())
          .isCloseTo(seconds, within(0.0005));
      assertThat(estimate.path("cost_usd").path(statistic).asDouble())
          .isCloseTo(usd, within(0.00005));
    }
    assertThat(estimate.path("in_budget").isNull()).isTrue();
    assertThat(names(estimate.path("cost_by")))
        .containsExactly("compute", "idle", "provisioning", "data", "other");
    double[] ends = Arrays.stream(groupEnds.split(" ")).mapToDouble(Double::parseDouble).toArray();
    for (int group = 0; group < ends.length; group++) {
      JsonNode node = json.path("groups").path(group);
      assertThat(names(node)).containsExactly("group", "end_s", "cost_usd");
      assertThat(names(node.path("end_s"))).containsExactly("mean", "p50", "p95");
      assertThat(node.path("end_s").path("mean").asDouble()).isCloseTo(ends[group], within(0.0005));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plan-static, 224.41, 248.45, 2.8547",
    "plan-shrinking, 269.88, 292.38, 2.3519",
    "plan-growing-back, 391.27, 431.24, 2.1535",
    "plan-odd-sizes, 301.49, 327.35, 2.6540",
  })
  void predictsSpreadWithinSamplingError(
      String plan, double meanSeconds, double p95Seconds, double meanUsd) {
    JsonNode estimate =
        simulate(
                plan,
                "--profile",
                ExampleFiles.WORKED.resolve("profile-spread.yaml").toString(),
                "--offers",
                ExampleFiles.WORKED.resolve("offers-spread.yaml").toString(),
                "--samples",
                String.valueOf(SAMPLES))
            .json()
            .path("estimate");

    assertThat(estimate.path("samples").asInt()).isBetween(50_000, SAMPLES);
    assertThat(estimate.path("sampling_error").path("completion_s").asDouble())
        .isBetween(0.0, 0.0005 * meanSeconds);
    assertThat(estimate.path("sampling_error").path("cost_usd").asDouble())
        .isBetween(0.0, 0.0005 * meanUsd);
    assertClose(estimate.path("completion_s").path("mean"), meanSeconds);
    assertClose(estimate.path("completion_s").path("p95"), p95Seconds);
    assertClose(estimate.path("cost_usd").path("mean"), meanUsd);
  }

  private static void assertClose(JsonNode number, double expected) {
    assertThat(number.asDouble()).isCloseTo(expected, within(0.003 * expected));
  }

  @Test
  void breaksDownTimeByGroupAndCause() {
    JsonNode json = simulate("plan-shrinking").json();

    List<Double> seconds = new ArrayList<>();
    for (JsonNode group : json.path("completion_by")) {
      assertThat(names(group))
          .containsExactly("group", "queue_s", "boot_s", "startup_s", "training_s", "straggling_s");
      names(group).stream().skip(1).forEach(name -> seconds.add(group.path(name).asDouble()));
    }
    assertThat(seconds.stream().mapToDouble(number -> number).sum())
        .isCloseTo(242.163, within(0.0005));
    JsonNode help = json.path("would_help");
    assertThat(help).hasSize(4).allSatisfy(one -> assertThat(names(one)).hasSize(2));
    assertThat(help.path(0).path("cause").asString()).isEqualTo("boot");
    assertThat(help.path(0).path("sooner_s").asDouble()).isCloseTo(60, within(1e-9));
  }

  @Test
  void screenBreaksDownTime() {
    String screen =
        simulate(
                "plan-shrinking",
                false,
                "--profile",
                ExampleFiles.WORKED.resolve("profile-spread.yaml").toString(),
                "--offers",
                ExampleFiles.WORKED.resolve("offers-spread.yaml").toString())
            .out();

    assertThat(screen)
        .contains("\n 10,000 samples: mean time ± 0.05%, mean cost ± 0.07% (standard error)\n")
        .contains("\n where the time goes: training ~52% · boot ~21% · start-up ~16% · ")
        .contains(" of the critical path, 1,000 samples\n")
        .contains("\n what would help: without boot ~1m1")
        .contains(" · without stragglers ~13s faster");
  }

  @Test
  void printsTable() {
    GoldenFiles.check("simulate", simulate("plan-shrinking", false).out());
  }

  @Test
  void reportsLinesOfInvalidPlan() throws IOException {
    Path plan =
        Files.writeString(
            folder.resolve("plan.json"),
            """
            {"plan": [
              {"group": "1", "offer": "%1$s", "instances": 4, "gpus_per_trial": 3, "trials": 15},
              {"group": "2", "offer": "%1$s", "instances": 2, "gpus_per_trial": 6},
              {"group": "3", "offer": "p3", "instances": 2, "gpus_per_trial": 2},
              {"group": "5", "offer": "%1$s", "instances": 20, "gpus_per_trial": 4}
            ]}
            """
                .formatted(OFFER));

    InProcessCli.Result result = new InProcessCli(folder).run("simulate", JOB, plan.toString());

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .anyMatch(line -> line.startsWith("plan.json:2: plan[0].trials: is 15, but "))
        .anyMatch(line -> line.startsWith("plan.json:3: plan[1].gpus_per_trial: "))
        .anyMatch(line -> line.startsWith("plan.json:4: plan[2].offer: "))
        .anyMatch(line -> line.startsWith("plan.json:5: plan[3].group: the job has no group 5"))
        .anyMatch(line -> line.startsWith("plan.json:1: plan: has no group 4"))
        .hasSize(5);
  }

  @Test
  void reportsClusterLimitsAtPlan() throws IOException {
    String row =
        "{\"group\": \"%d\", \"offer\": \""
            + OFFER
            + "\", \"instances\": 9, \"gpus_per_trial\": 1}";
    List<String> rows = new ArrayList<>();
    for (int group = 1; group <= 4; group++) {
      rows.add(row.formatted(group));
    }
    Path plan = folder.resolve("plan.json");
    Files.writeString(plan, "{\n \"plan\": [" + String.join(",\n", rows) + "]}");

    InProcessCli.Result result = new InProcessCli(folder).run("simulate", JOB, plan.toString());

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("plan.json:2: ").contains("max_instances");
  }

  private InProcessCli.Result simulate(String plan, String... more) {
    return simulate(plan, true, more);
  }

  private InProcessCli.Result simulate(String plan, boolean json, String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "job.yaml", plan + ".json"));
    if (json) {
      arguments.add("--json");
    }
    arguments.addAll(List.of(more));
    InProcessCli.Result result =
        InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
            .run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  static List<String> names(JsonNode node) {
    return List.copyOf(node.propertyNames());
  }
}
