package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Checks the commands for a cluster of a fixed size (docs/searches.md, "Fluid"). */
class FixedClusterTest {
  private static final String JOB = ExampleFiles.WORKED.resolve("job.yaml").toString();
  private static final String PROFILE =
      ExampleFiles.WORKED.resolve("profile-sharing.yaml").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"list, 282.163, 1.8224", "fluid, 260.163, 1.6728"})
  void simulateMatchesTheExample(String policy, double seconds, double usd) {
    String plan = ExampleFiles.WORKED.resolve("plan-fixed.json").toString();
    JsonNode estimate = run(0, "simulate", policy, plan).json().path("estimate");

    assertThat(estimate.path("completion_s").path("mean").asDouble())
        .isCloseTo(seconds, within(0.0005));
    assertThat(estimate.path("cost_usd").path("mean").asDouble()).isCloseTo(usd, within(0.00005));
  }

  /** A fixed cluster has one offer: the only one whose GPU has a profile. */
  @Test
  void offersWithoutAProfileDoNotCount() throws IOException {
    Path offers = folder.resolve("offers.yaml");
    Files.writeString(
        offers, ExampleFiles.rehearsalOffers().replaceFirst("gpu: A10G", "gpu: V100"));
    Path job = folder.resolve("job.yaml");
    Files.writeString(
        job,
        ExampleFiles.rehearsal("halving.yaml", offers).replace("max_instances: 16", "instances: 2")
            + "policy: fluid\n");

    InProcessCli.Result plan =
        new InProcessCli(folder).run("plan", job.toString(), "--budget", "50");

    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out()).contains("2 × g5.12xlarge");
  }

  @Test
  void planPredictsFluid() {
    JsonNode json = run(0, "plan", "fluid").json();

    assertThat(json.path("policy").asString()).isEqualTo("fluid");
    assertThat(json.path("hold").asBoolean()).isTrue();
    assertThat(json.path("stops").path("resizes").path("mean").asDouble()).isZero();
    assertThat(json.path("estimate").path("completion_s").path("mean").asDouble())
        .isCloseTo(260.163, within(0.0005));
    for (JsonNode row : json.path("plan")) {
      assertThat(row.path("instances").asInt()).isEqualTo(2);
      assertThat(row.path("gpus_per_trial").isNull()).isTrue();
      assertThat(row.path("trials_per_gpu").isNull()).isTrue();
    }
  }

  @Test
  void planChoosesSizesForList() {
    JsonNode json = run(0, "plan", "list").json();

    assertThat(json.path("policy").asString()).isEqualTo("list");
    assertThat(json.path("hold").asBoolean()).isTrue();
    assertThat(json.path("estimate").path("completion_s").path("mean").asDouble())
        .isLessThan(282.163 + 0.0005);
    assertThat(json.path("plan").path(3).path("gpus_per_trial").asInt()).isEqualTo(4);
  }

  @Test
  void screenNamesThePolicyAndListScheduling() {
    String out =
        text(0, "plan", "--profile", PROFILE, "--instances", "2", "--policy", "fluid").out();

    assertThat(out).contains("2 × p3.8xlarge").contains("fluid").contains("policy: list ");
    assertThat(out).contains("(above 99.9% of runs, faults included)");
  }

  @Test
  void savedPlanOfAPolicyIsExecuted() {
    String saved = folder.resolve("plan.json").toString();
    List<String> options = new ArrayList<>(List.of("--infra", "simulated", "-o", saved));
    options.addAll(List.of("--profile", PROFILE, "--instances", "2", "--policy", "fluid"));
    options.addAll(List.of("--budget", "50"));
    text(0, "plan", options.toArray(String[]::new));
    InProcessCli.Result run = new InProcessCli(folder).run("run", saved, "-y", "--json");

    assertThat(run.exit()).as(run.err()).isZero();
  }

  /** Returns the arguments of a plan of the example with other lines, on two instances. */
  private List<String> arguments(String command, String policy, String... replaced)
      throws IOException {
    String text = Files.readString(ExampleFiles.WORKED.resolve("job.yaml"));
    for (int i = 0; i < replaced.length; i += 2) {
      text = text.replaceAll(replaced[i], replaced[i + 1]);
    }
    text = text.replace("offers.yaml", ExampleFiles.WORKED.resolve("offers.yaml").toString());
    String job = Files.writeString(folder.resolve(policy + ".yaml"), text).toString();
    return new ArrayList<>(
        List.of(
            command,
            job,
            "--profile",
            PROFILE,
            "--instances",
            "2",
            "--policy",
            policy,
            "--budget", // a spending guard needs many more samples
            "50"));
  }

  private List<String> hyperSched(String command) throws IOException {
    return arguments(
        command, "hypersched", "algorithm: sha", "algorithm: asha", "trials: 16", "trials: 8");
  }

  private List<String> hermes(String command) throws IOException {
    return arguments(
        command,
        "hermes",
        "algorithm: sha",
        "algorithm: random",
        "eta: .*",
        "",
        "min: 1, ",
        "",
        "430s",
        "1h",
        "trials: 16",
        "trials: 8");
  }

  private InProcessCli.Result succeeding(List<String> arguments, String... more) {
    arguments.addAll(List.of(more));
    InProcessCli.Result result = new InProcessCli(folder).run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  @Test
  void planPredictsHyperSched() throws IOException {
    // With --json, the screen is on standard error.
    InProcessCli.Result plan = succeeding(hyperSched("plan"), "--json");

    assertThat(plan.err())
        .contains("policy: hypersched trains the best trials until the deadline")
        .contains("assumes synthetic learning curves", "assumes a rank correlation of 0.9");
    JsonNode json = plan.json();
    assertThat(json.path("policy").asString()).isEqualTo("hypersched");
    assertThat(json.path("rungs").path(0).path("tasks").path("mean").asDouble()).isPositive();
    assertThat(json.path("estimate").path("completion_s").path("p95").asDouble())
        .isLessThanOrEqualTo(430);
  }

  /** HyperSchedFidelityTest compares executions with predictions in every build. */
  @Test
  @Tag(Tier.NIGHTLY)
  void rehearsalExecutesHyperSched() throws IOException {
    JsonNode predicted = succeeding(hyperSched("plan"), "--json").json().path("estimate");
    JsonNode executed =
        succeeding(hyperSched("rehearse"), "--seeds", "3", "--faults", "none", "--json").json();

    assertThat(executed.path("completion_s").path("executed").asDouble())
        .isCloseTo(predicted.path("completion_s").path("mean").asDouble(), within(100.0));
    assertThat(executed.path("exits").path("0").asInt()).isEqualTo(3);
  }

  @Test
  void planPredictsHermes() throws IOException {
    InProcessCli.Result plan = succeeding(hermes("plan"), "--json");

    assertThat(plan.err())
        .contains("hermes")
        .contains("assumes synthetic learning curves")
        .contains("policy: list ");
    JsonNode json = plan.json();
    assertThat(json.path("policy").asString()).isEqualTo("hermes");
    assertThat(json.path("assumed").toString()).contains("learning_curves");
    assertThat(json.path("stops").path("preemptions").path("mean").asDouble()).isZero();
    assertThat(json.path("plan").path(0).path("gpus_per_trial").isNull()).isTrue();
  }

  @Test
  void screenHasThePreemptionsOfHermes() throws IOException {
    assertThat(succeeding(hermes("plan"), "--trials", "16").out())
        .containsPattern(" expected preemptions of trials: [~0-9.]+");
  }

  /** HermesFidelityTest compares executions with predictions in every build. */
  @Test
  @Tag(Tier.NIGHTLY)
  void rehearsalExecutesHermes() throws IOException {
    JsonNode times =
        succeeding(hermes("rehearse"), "--seeds", "3", "--faults", "none", "--json")
            .json()
            .path("completion_s");

    assertThat(times.path("executed").asDouble())
        .isCloseTo(times.path("predicted").asDouble(), withinPercentage(3));
  }

  /** Executed in the simulated environment, the example ends as predicted. */
  @Test
  void rehearsalExecutesFluid() {
    JsonNode json = run(0, "rehearse", "fluid", "--seeds", "1", "--faults", "none").json();

    assertThat(json.path("completion_s").path("executed").asDouble())
        .isCloseTo(260.163, within(0.0005));
    assertThat(json.path("cost_usd").path("executed").asDouble())
        .isCloseTo(1.6728, within(0.00005));
  }

  @Test
  void listIsRehearsedOnAFixedCluster() {
    JsonNode json = run(0, "rehearse", "list", "--seeds", "5").json();

    assertThat(json.toString()).contains("\"seeds\":5");
  }

  private InProcessCli.Result run(int exit, String command, String policy, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--profile", PROFILE, "--instances", "2", "--policy", policy, "--json"));
    arguments.addAll(List.of("--budget", "50")); // a spending guard needs many more samples
    arguments.addAll(List.of(more));
    return text(exit, command, arguments.toArray(String[]::new));
  }

  private InProcessCli.Result text(int exit, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command, JOB));
    arguments.addAll(List.of(more));
    InProcessCli.Result result = new InProcessCli(folder).run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err() + result.out()).isEqualTo(exit);
    return result;
  }
}
