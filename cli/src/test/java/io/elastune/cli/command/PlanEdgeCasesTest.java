package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the command {@code plan} with edge cases. */
class PlanEdgeCasesTest {
  private static final String JOB =
      """
      name: hard
      deadline: 1h
      search:
        algorithm: sha
        metric: {name: acc, goal: maximize}
        trials: 16
        eta: 2
        resource: {unit: epoch, min: 1, max: 8}
        space: {lr: {type: loguniform, low: 1e-4, high: 1e-1}}
      trial: {run: train, gpus: 1..8}
      resources: {infra: [aws/us-east-1], offers: offers.yaml, max_instances: 8}
      profile: {file: profile.yaml}
      """;
  private static final String PROFILE =
      """
      program: train
      gpu: V100
      unit: epoch
      measured: {at: 2026-11-20T06:00:00Z, source: test, samples: 40}
      training: [{gpus: 1, seconds: 30}, {gpus: 2, seconds: 16}, {gpus: 4, seconds: 9}]
      startup_s: {mean: 10, cv: 0}
      """;
  private static final String OFFERS = "source: test\ndate: 2026-11-20\noffers:\n";
  private static final String OFFER =
      "  - {infra: aws/us-east-1, instance_type: %s, gpu: V100, gpus: %d, usd_per_hour: %s,"
          + " billing: {%s}, queue_s: {mean: 15, cv: 0}, boot_s: {mean: 60, cv: 0}}\n";
  private static final String EC2 = "granularity_s: 1, minimum_s: 60";

  @TempDir Path folder;

  @BeforeEach
  void writeOrdinaryJob() throws IOException {
    write("job.yaml", JOB);
    write("profile.yaml", PROFILE);
    write("offers.yaml", OFFERS + offer("p3.8xlarge", 4, 12.24, EC2));
  }

  @Test
  void avoidsSizeWithNegativeScaling() throws IOException {
    // YOLOv3 on T4 scales 1.89x, 3.00x, 1.39x at 2, 4, 8 GPUs (ElasticFlow).
    write(
        "profile.yaml",
        PROFILE.replace(
            "{gpus: 4, seconds: 9}", "{gpus: 4, seconds: 10}, {gpus: 8, seconds: 21.6}"));
    JsonNode plan = plan("--deadline", "220s").path("plan");
    assertThat(plan.size()).isEqualTo(4);
    plan.forEach(row -> assertThat(row.path("gpus_per_trial").asInt()).isLessThan(8));
  }

  @Test
  void instancesOfOneGpuFormTeams() throws IOException {
    write("offers.yaml", OFFERS + offer("p3.2xlarge", 1, 3.06, EC2));
    JsonNode last = plan("--deadline", "420s").path("plan").path(3);
    assertThat(last.path("gpus_per_trial").asInt()).isGreaterThan(1);
    assertThat(last.path("instances").asInt())
        .isGreaterThanOrEqualTo(last.path("gpus_per_trial").asInt());
  }

  /** A search of the results per step of a sample once took minutes. */
  @Test
  @Tag(Tier.NIGHTLY)
  void plansAsynchronousSearchOfManyTrials() throws IOException {
    write(
        "job.yaml",
        JOB.replace("algorithm: sha", "algorithm: asha")
            .replace("trials: 16", "trials: 86400")
            .replace("eta: 2", "eta: 4"));
    InProcessCli.Result result = run("plan", "job.yaml");

    assertThat(result.out()).contains("No plan for hard", "deadline is ~", "too short");
    assertThat(result.exit()).isEqualTo(10);
  }

  @Test
  void plansSingleTrial() throws IOException {
    write("job.yaml", JOB.replace("trials: 16", "trials: 1"));
    JsonNode json = plan();
    assertThat(json.path("plan").size()).isEqualTo(1);
    assertThat(json.path("optimum").path("proven").asBoolean()).isTrue();
    assertThat(json.path("remarks").size()).isZero();
  }

  @Test
  void reportsDeadlineInThePast() {
    InProcessCli.Result result =
        run("plan", "job.yaml", "--deadline", "2001-01-01T00:00:00Z", "--json");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.err())
        .contains("the deadline has already passed", "try: --deadline ")
        .doesNotContain("no plan meets this deadline");
    assertThat(result.json().path("violated").path(0).asString()).isEqualTo("deadline");
    // The nearest limits are those of the fastest plan, as for any infeasible deadline.
    assertThat(result.json().path("nearest"))
        .isEqualTo(run("plan", "job.yaml", "--deadline", "1m", "--json").json().path("nearest"));
  }

  @Test
  void reportsTooSmallBudget() {
    InProcessCli.Result result = run("plan", "job.yaml", "--budget", "0.01", "--json");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.err())
        .contains("$0.0100 budget is ~$", "no plan fits this budget, even with more time");
    String nearest = result.json().path("nearest").path("budget_usd").asString();
    assertThat(plan("--budget", nearest).path("feasible").asBoolean()).isTrue();
  }

  @Test
  void plansWithTwoHundredOffers() throws IOException {
    StringBuilder offers = new StringBuilder(OFFERS);
    for (int i = 0; i < 200; i++) {
      offers.append(offer("type" + i, 1 + i % 4, 3 + i % 4 * 3 + i * 0.01, EC2));
    }
    write("offers.yaml", offers.toString());
    assertThat(plan().path("feasible").asBoolean()).isTrue();
  }

  @Test
  void hourlyBillingIsNotProven() throws IOException {
    write("offers.yaml", OFFERS + offer("old", 4, 12.24, "granularity_s: 3600, minimum_s: 3600"));
    JsonNode json = plan();
    assertThat(json.path("estimate").path("cost_usd").path("mean").asDouble())
        .isCloseTo(12.24, within(1e-9));
    assertThat(json.path("optimum").path("proven").asBoolean()).isFalse();
    assertThat(json.path("remarks").toString()).contains("not proven optimal", "increments");
    assertThat(run("plan", "job.yaml").out()).contains("no better plan was found");
  }

  @Test
  void billingPerUseChargesNoBoot() throws IOException {
    write("offers.yaml", OFFERS + offer("pay-per-use", 4, 12.24, "per: use, granularity_s: 1"));
    JsonNode json = plan();
    JsonNode by = json.path("estimate").path("cost_by");
    assertThat(by.path("provisioning").asDouble()).isZero();
    assertThat(by.path("compute").asDouble()).isPositive();
    assertThat(json.path("baselines").path(0).path("feasible").asBoolean()).isTrue();
  }

  @Test
  void plansAndNamesInterpolatedSize() throws IOException {
    write("job.yaml", JOB.replace("gpus: 1..8", "gpus: 3..3"));
    InProcessCli.Result result = run("plan", "job.yaml", "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.json().path("assumed").toString())
        .contains("\"seconds per unit at 3 GPUs (interpolated)\"");
    assertThat(result.err())
        .contains("~ assumed, from measured GPU counts: seconds per unit at 3 GPUs (interpolated)");
  }

  @Test
  void respectsAndReportsQuotas() throws IOException {
    String quota =
        """
        quotas:
          - name: Running On-Demand P instances
            unit: vCPU
            limit: %d
            uses: {aws/us-east-1/p3.8xlarge/on-demand: 32}
        """;
    String offers = OFFERS + offer("p3.8xlarge", 4, 12.24, EC2);
    write("offers.yaml", offers + quota.formatted(64));
    InProcessCli.Result result = run("plan", "job.yaml", "--json");
    result
        .json()
        .path("plan")
        .forEach(row -> assertThat(row.path("instances").asInt()).isLessThan(3));
    assertThat(result.err())
        .contains(
            "the quota \"Running On-Demand P instances\" of 64 vCPU allows at most 2 × p3.8xlarge");
    assertThat(run("offers", "--offers", "offers.yaml").out())
        .contains(
            "Running On-Demand P instances  64 vCPU  aws/us-east-1/p3.8xlarge/on-demand    32        2");

    write("offers.yaml", offers + quota.formatted(16));
    InProcessCli.Result none = run("plan", "job.yaml");
    assertThat(none.exit()).isEqualTo(10);
    assertThat(none.out()).contains("one instance uses 32 vCPU, more than the quota");
  }

  private static String offer(String type, int gpus, double usd, String billing) {
    return OFFER.formatted(type, gpus, usd, billing);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private JsonNode plan(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "plan";
    arguments[1] = "job.yaml";
    arguments[2] = "--json";
    System.arraycopy(more, 0, arguments, 3, more.length);
    InProcessCli.Result result = run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.json();
  }

  private InProcessCli.Result run(String... arguments) {
    return InProcessCli.at(folder, folder.resolve("home")).run(arguments);
  }
}
