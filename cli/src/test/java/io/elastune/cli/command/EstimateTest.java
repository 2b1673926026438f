package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests estimates of the worked example: 16×1, 8×1, 4×2 and 2×4 epochs, 40 in total. */
class EstimateTest {
  private static final String OFFER =
      """
        - infra: aws/%s
          instance_type: %s
          gpu: %s
          gpus: 1
          market: %s
          usd_per_hour: %s
          price: list
          billing: {per: instance, granularity_s: 1, minimum_s: 60, per_use_usd: 0}
          queue_s: {mean: 0, cv: 0}
          boot_s: {mean: 0, cv: 0}
          data_in_usd: 0
          disk_usd_per_hour: 0
      """;

  @TempDir Path folder;

  @BeforeEach
  void copyJob() throws IOException {
    Files.copy(ExampleFiles.WORKED.resolve("job.yaml"), folder.resolve("job.yaml"));
    Files.writeString(
        folder.resolve("offers.yaml"),
        "source: AWS price list\ndate: 2026-11-20\noffers:\n"
            + OFFER.formatted("us-east-1", "g5.xlarge", "A10G", "on-demand", "1.006")
            + OFFER.formatted("us-east-1", "g5.xlarge", "A10G", "spot", "0.40")
            + OFFER.formatted("eu-west-1", "p3.2xlarge", "V100", "on-demand", "3.06"));
  }

  private InProcessCli.Result estimate(String... arguments) {
    List<String> all = new ArrayList<>(List.of("estimate", "job.yaml"));
    all.addAll(List.of(arguments));
    return new InProcessCli(folder).run(all.toArray(String[]::new));
  }

  /** One GPU needs 40 × 90 s = 1 h, on however many instances: the cost is the price of an hour. */
  @Test
  void costIsThatOfTheGivenTime() {
    JsonNode estimates =
        estimate(
                "--unit-time",
                "90s@a10g",
                "--deadline",
                "2h,4h",
                "--market",
                "on-demand,spot",
                "--offers",
                "offers.yaml",
                "--json")
            .json()
            .path("estimates");

    assertThat(estimates).hasSize(4);
    assertCost(estimates.path(0), "on-demand", 7200, 1.006);
    assertCost(estimates.path(1), "on-demand", 14400, 1.006);
    assertCost(estimates.path(2), "spot", 7200, 0.40);
    assertCost(estimates.path(3), "spot", 14400, 0.40);
  }

  /** Three budgets have the same cheapest plan: one row, a sentence, and what they would buy. */
  @Test
  void saysWhatMoreMoneyBuysAndHowManyTrialsFit() {
    String[] arguments = {
      "--unit-time",
      "90s@A10G",
      "--startup",
      "0s",
      "--deadline",
      "2h",
      "--market",
      "on-demand",
      "--budget",
      "2,4,8",
      "--offers",
      "offers.yaml"
    };
    InProcessCli.Result result = estimate(arguments);

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .containsOnlyOnce("aws/us-east-1  on-demand")
        .contains(
            " more money buys nothing (on-demand, 2h): with a budget of $4.00 or $8.00 the"
                + " plan is that of a budget of $2.00, which costs ~$1.01")
        .containsPattern(
            " about 31 trials fit a budget of \\$2.00 and a deadline of 2h00m on aws/us-east-1")
        .containsPattern(" about 63 trials fit a budget of \\$4.00");
    List<String> json = new ArrayList<>(List.of(arguments));
    json.add("--json");
    JsonNode estimates = estimate(json.toArray(String[]::new)).json().path("estimates");
    assertThat(estimates).hasSize(3);
    assertThat(estimates.path(0).path("most_trials").asInt()).isEqualTo(31);
  }

  @Test
  void saysWhatDoubleTheMoneyBuysWithoutADeadline() throws IOException {
    Path job = folder.resolve("job.yaml");
    Files.writeString(job, Files.readString(job).replaceAll("(?m)^deadline:.*$", ""));
    Files.writeString(
        folder.resolve("offers.yaml"),
        "source: AWS price list\ndate: 2026-11-20\noffers:\n"
            + OFFER.formatted("us-east-1", "g5.xlarge", "A10G", "on-demand", "1.006")
            + OFFER.formatted("us-east-1", "p3.2xlarge", "V100", "on-demand", "3.06"));
    String out =
        estimate(
                "--unit-time",
                "900s@A10G",
                "--unit-time",
                "400s@V100",
                "--startup",
                "0s",
                "--budget",
                "11,40",
                "--offers",
                "offers.yaml")
            .out();

    assertThat(out)
        .contains(
            " a budget of $40.00 instead of a budget of $11.00 buys 33m: ~1h42m for ~$10.77 instead"
                + " of ~2h15m for ~$10.06")
        .doesNotContain("more money buys nothing");
  }

  private static void assertCost(JsonNode estimate, String market, double deadlineS, double usd) {
    assertThat(estimate.path("market").asString()).isEqualTo(market);
    assertThat(estimate.path("deadline_s").asDouble()).isEqualTo(deadlineS);
    assertThat(estimate.path("feasible").asBoolean()).isTrue();
    assertThat(estimate.at("/estimate/cost_usd/mean").asDouble()).isCloseTo(usd, within(1e-6));
    assertThat(estimate.at("/estimate/completion_s/mean").asDouble()).isBetween(450.0, 3600.1);
  }

  @Test
  void marksEverythingAsAssumed() {
    InProcessCli.Result result =
        estimate(
            "--unit-time",
            "90s@A10G",
            "--startup",
            "0s",
            "--deadline",
            "2h",
            "--market",
            "on-demand,spot",
            "--offers",
            "offers.yaml");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("profile assumed")
        .contains("assumed: epoch 1m30s on one A10G; one GPU per trial; start-up 0s; no spread")
        .contains("aws/us-east-1  on-demand     2h00m       -    ~14m        ~14m  ~$1.01")
        .contains("cheapest: aws/us-east-1 spot for ~$0.40")
        .contains("not included: ");
  }

  @Test
  void comparesPlacesAndLeavesOutUnknownModels() throws IOException {
    Path offers = folder.resolve("offers.yaml");
    Files.writeString(offers, Files.readString(offers).replace("V100", "L4"));
    InProcessCli.Result result =
        estimate(
            "--unit-time",
            "90s@A10G",
            "--infra",
            "aws/us-east-1,aws/eu-west-1",
            "--deadline",
            "2h",
            "--offers",
            "offers.yaml");

    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .containsPattern("aws/eu-west-1 +on-demand +2h00m .* no offer with a known time")
        .contains("no time is known: L4; add --unit-time TIME@MODEL");
  }

  /** A V100 trains 0.93 times as fast as an A10G: 40 × 93 s / 0.93 = 4000 s at $3.06 per hour. */
  @Test
  void convertsTheTimeOfAnA10gAndNamesWhatWasMeasured() {
    InProcessCli.Result result =
        estimate(
            "--unit-time",
            "93s@A10G",
            "--infra",
            "aws/eu-west-1",
            "--offers",
            "offers.yaml",
            "--deadline",
            "2h",
            "--json");

    JsonNode estimate = result.json().at("/estimates/0/estimate");
    assertThat(estimate.at("/cost_usd/mean").asDouble()).isCloseTo(3.4, within(1e-6));
    assertThat(result.err())
        .contains("~ V100 trains 0.93 times as fast as A10G (0.59 to 1.53 in 20 programs")
        .contains("A10 measured in place of A10G");
  }

  /** A V100 trains 1.06 times as fast as a P100: 40 × 106 s / 1.06 = 4000 s at $3.06 per hour. */
  @Test
  void convertsByPublishedRatio() {
    InProcessCli.Result result =
        estimate(
            "--unit-time",
            "106s@P100",
            "--infra",
            "aws/eu-west-1",
            "--deadline",
            "2h",
            "--offers",
            "offers.yaml",
            "--json");

    JsonNode estimate = result.json().at("/estimates/0/estimate");
    assertThat(estimate.at("/cost_usd/mean").asDouble()).isCloseTo(3.4, within(1e-6));
    assertThat(result.err())
        .contains("~ V100 trains 1.06 times as fast as P100 (0.43 to 1.84 in 26 programs");
  }

  @Test
  void namesNearestLimitsOfAnInfeasibleCase() {
    InProcessCli.Result result =
        estimate("--unit-time", "90s@A10G", "--deadline", "1m", "--offers", "offers.yaml");

    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.out()).contains("no plan; possible with deadline ~");
  }

  @Test
  void usesSeveralGpusOnlyWithASpeedup() throws IOException {
    Path offers = folder.resolve("offers.yaml");
    Files.writeString(offers, Files.readString(offers).replace("gpus: 1\n", "gpus: 2\n"));

    // With one GPU per trial, the groups take 180 + 90 + 180 + 360 s.
    String[] tight = {
      "--unit-time",
      "90s@A10G",
      "--deadline",
      "13m",
      "--max-instances",
      "4",
      "--offers",
      "offers.yaml",
      "--json"
    };
    assertThat(estimate(tight).exit()).isEqualTo(10);

    List<String> scaled = new ArrayList<>(List.of(tight));
    scaled.addAll(List.of("--speedup", "2=1.95"));
    assertThat(estimate(scaled.toArray(String[]::new)).json().at("/estimates/0/plan"))
        .anyMatch(row -> row.path("gpus_per_trial").asInt() == 2);
  }

  @Test
  void savesAProfileThatOtherCommandsMarkAsAssumed() throws IOException {
    InProcessCli.Result result =
        estimate(
            "--unit-time",
            "90s@A10G",
            "--deadline",
            "2h",
            "--offers",
            "offers.yaml",
            "-o",
            "assumed.yaml");
    assertThat(result.out())
        .contains("Profile saved to assumed.yaml")
        .contains("'elastune plan job.yaml --profile assumed.yaml'");
    assertThat(Files.readString(folder.resolve("assumed.yaml")))
        .startsWith("# Assumed times of worked-example on A10G: nothing was measured.");

    InProcessCli.Result plan =
        new InProcessCli(folder)
            .run("plan", "job.yaml", "--profile", "assumed.yaml", "--deadline", "2h");
    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out())
        .contains("profile assumed")
        .contains("finish ~")
        .contains("~ assumed in the profile, not measured: seconds per epoch on A10G");
  }

  @Test
  void requiresATime() {
    InProcessCli.Result missing = estimate("--deadline", "2h");
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("--unit-time: is missing", "90s@A10G");
    InProcessCli.Result wrong = estimate("--unit-time", "90@A10G");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--unit-time", "90s@A10G", "not '90@A10G'");
    assertThat(estimate("--unit-time", "90s@A10G", "--speedup", "2=9").exit()).isEqualTo(2);
    assertThat(estimate("--unit-time", "90s@A10G", "--spread", "500%").exit()).isEqualTo(2);
  }
}
