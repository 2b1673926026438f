package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests plans with the offers of two clouds, from the shipped tables. */
class MultiCloudPlanTest {
  private static final String JOB =
      """
      name: both
      deadline: 3h
      search:
        algorithm: sha
        metric: {name: acc, goal: maximize}
        trials: 16
        eta: 4
        resource: {unit: epoch, min: 1, max: 16}
        space: {lr: {type: loguniform, low: 1e-4, high: 1}}
      trial: {run: "true", gpus: 1..4}
      resources:
        infra: [aws/us-east-1, gcp/us-central1]
        max_instances: 16
      """;
  private static final String PROFILE =
      """
      program: both
      gpu: %s
      unit: epoch
      measured: {at: 2026-11-20T06:00:00Z, source: synthetic, samples: 40}
      training: [{gpus: 1, seconds: 120}, {gpus: 2, seconds: 65}, {gpus: 4, seconds: 36}]
      startup_s: {mean: 10, cv: 0}
      checkpoint_s: {mean: 0, cv: 0}
      trial_cv: 0
      unit_cv: 0
      """;

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("job.yaml"), JOB);
    for (String gpu : new String[] {"L4", "A100"}) {
      Files.writeString(folder.resolve(gpu + ".yaml"), PROFILE.formatted(gpu));
    }
  }

  @Test
  void choosesOfferAndShowsPriceDates() {
    JsonNode plan = run("plan", "job.yaml", "--profile", "L4.yaml", "--json").json();
    assertThat(plan.path("feasible").asBoolean()).isTrue();
    assertThat(plan.at("/prices/source").asString())
        .isEqualTo("gcp, shipped table 2026-07-30; aws, shipped table: spot 2025-07, on demand");
    assertThat(plan.at("/prices/date").asString()).isEqualTo("2026-07-20");
    // An L4 is 0.71 USD/h on Google Cloud, and 0.80 USD/h on AWS.
    assertThat(plan.path("plan"))
        .isNotEmpty()
        .allSatisfy(
            group ->
                assertThat(group.path("offer").asString())
                    .startsWith("gcp/us-central1/g2-standard-")
                    .endsWith("/on-demand"));
    assertThat(plan.path("assumed").toString())
        .contains("queue_s gcp/us-central1/g2-standard-", "boot_s gcp/us-central1/g2-standard-");
  }

  @Test
  void screenMarksAssumedNumbers() {
    String screen = run("plan", "job.yaml", "--profile", "L4.yaml").out();
    assertThat(screen)
        .contains(
            "gcp, shipped table 2026-07-30; aws, shipped table: spot 2025-07, on demand 2026-07-20",
            "~",
            "g2-standard");
  }

  @Test
  void choosesTheOnlyCloudWithTheGpu() {
    JsonNode plan = run("plan", "job.yaml", "--profile", "A100.yaml", "--json").json();
    assertThat(plan.path("plan").toString()).contains("gcp/us-central1/a2-highgpu-");
  }

  @Test
  void usesSpotPrices() throws IOException {
    Files.writeString(folder.resolve("job.yaml"), JOB + "  market: spot\n");
    JsonNode plan = run("plan", "job.yaml", "--profile", "L4.yaml", "--json").json();
    assertThat(plan.path("plan").toString()).contains("g2-standard-", "/spot");
  }

  @Test
  void predictsWithTheShippedFaultRates() {
    String screen = run("plan", "job.yaml", "--profile", "L4.yaml", "-v").out();
    assertThat(screen).contains("included: faults, ", "(~ rates: ", "HPCA 2025");
  }

  /** The node runtime is for x86_64: nothing may be rented that cannot join. */
  @Test
  void offersWithOtherProcessorsAreRefused() throws IOException {
    String refusal =
        " arm64 processors, and the node runtime is for x86_64: use other instance types, or an"
            + " image with Ray, and name its interpreter as rented_nodes.python in clouds.yaml";
    String[] arm = {"job.yaml", "--infra", "aws/us-east-1", "--instance-types", "g5g.xlarge"};
    for (String command : List.of("plan", "run", "check")) {
      InProcessCli.Result result =
          new InProcessCli(folder)
              .run(Stream.concat(Stream.of(command), Stream.of(arm)).toArray(String[]::new));
      assertThat(result.exit()).as(command).isEqualTo(2);
      assertThat((result.out() + result.err()).replaceAll("\\s+", " "))
          .as(command)
          .contains("aws/us-east-1/g5g.xlarge/on-demand has" + refusal);
    }

    String both = "g6.xlarge,g5g.xlarge";
    InProcessCli.Result mixed =
        run(
            "plan",
            "job.yaml",
            "--infra",
            "aws/us-east-1",
            "--instance-types",
            both,
            "--profile",
            "L4.yaml");
    assertThat(mixed.out().replaceAll("\\s+", " "))
        .contains("aws/us-east-1/g5g.xlarge/on-demand has" + refusal);

    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), "rented_nodes: {python: /opt/ray/python}\n");
    assertThat(
            run(
                    "plan",
                    "job.yaml",
                    "--infra",
                    "aws/us-east-1",
                    "--instance-types",
                    both,
                    "--profile",
                    "L4.yaml")
                .out())
        .doesNotContain("arm64");
  }

  /** A job that allows any type does not mention those that no run can use. */
  @Test
  void offersWithOtherProcessorsAreLeftOut() {
    assertThat(run("plan", "job.yaml", "--profile", "L4.yaml").out()).doesNotContain("arm64");
    InProcessCli.Result result =
        new InProcessCli(folder)
            .run(
                "plan",
                "job.yaml",
                "--infra",
                "simulated/aws/us-east-1",
                "--instance-types",
                "g5g.xlarge");
    assertThat(result.out() + result.err()).doesNotContain("arm64");
  }

  @Test
  void typeThatIsOnlySoldOnSpotIsExplained() {
    InProcessCli.Result result =
        new InProcessCli(folder)
            .run(
                "plan",
                "job.yaml",
                "--infra",
                "gcp/us-central1",
                "--instance-types",
                "a3-highgpu-1g");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .contains("market on-demand; offered only on spot: a3-highgpu-1g")
        .contains("a3-highgpu-1g is not sold on demand, only as: flex-start, spot; available: ");
  }

  @Test
  void listsOffersOfBothClouds() {
    String screen = run("offers", "--infra", "aws/us-east-1,gcp/us-central1", "--gpu", "L4").out();
    assertThat(screen)
        .contains("aws/us-east-1/g6.xlarge/on-demand")
        .containsPattern("gcp/us-central1/g2-standard-4/on-demand +1 × L4 +\\$0\\.71/h")
        .containsPattern("gcp/us-central1/g2-standard-4/spot +1 × L4 +\\$0\\.40/h");
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
