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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PlanTest {
  private static final String SPREAD_PROFILE = file("profile-spread.yaml");
  private static final String SPREAD_OFFERS = file("offers-spread.yaml");
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  @TempDir Path folder;

  private static String file(String name) {
    return ExampleFiles.WORKED.resolve(name).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "189.2s, 8×2 4×2 4×4 4×8, 186.061, 3.5224, 171.966, 4.2704",
    "257.9s, 4×1 2×1 2×2 2×4, 242.163, 2.2304, 200.018, 2.5296",
    "429.9s, 2×1 2×1 1×1 1×2, 339.171, 1.7170, 282.163, 1.8224",
  })
  void findsOptimaOfWorkedExample(
      String deadline,
      String allocations,
      double seconds,
      double usd,
      double staticSeconds,
      double staticUsd) {
    JsonNode json = worked("--json", "--deadline", deadline).json();

    assertThat(json.path("feasible").asBoolean()).isTrue();
    assertThat(allocations(json.path("plan"))).isEqualTo(allocations);
    assertNear(json.path("estimate").path("completion_s").path("mean"), seconds);
    assertNear(json.path("estimate").path("cost_usd").path("mean"), usd);
    assertThat(json.path("optimum").path("proven").asBoolean()).isTrue();
    assertThat(json.path("optimum").path("gap").asDouble()).isZero();
    JsonNode best = json.path("baselines").path(0);
    assertThat(best.path("name").asString()).isEqualTo("static");
    assertNear(best.path("completion_s"), staticSeconds);
    assertNear(best.path("cost_usd"), staticUsd);
  }

  @Test
  void jsonHasAllKeys() {
    JsonNode json = worked("--json", "--frontier").json();

    assertThat(SimulateTest.names(json))
        .containsExactlyInAnyOrder(
            "job",
            "feasible",
            "hold",
            "policy",
            "choice",
            "prefer",
            "plan",
            "estimate",
            "spending_guard_usd",
            "baselines",
            "optimum",
            "knee",
            "frontier",
            "prices",
            "profile",
            "configurations",
            "distinct_configurations",
            "assumed",
            "remarks");
    assertThat(json.path("spending_guard_usd").asDouble())
        .isGreaterThan(json.path("estimate").path("cost_usd").path("p95").asDouble());
    assertThat(SimulateTest.names(json.path("plan").path(0)))
        .containsExactly(
            "group",
            "trials",
            "units",
            "offer",
            "instances",
            "gpus_per_trial",
            "trials_per_gpu",
            "waves");
    assertThat(json.path("plan").path(0).path("waves").asInt()).isEqualTo(2);
    assertThat(SimulateTest.names(json.path("optimum")))
        .containsExactly("cost_usd", "gap", "bound_usd", "proven");
    assertThat(SimulateTest.names(json.path("frontier").path(0)))
        .contains("completion_s", "cost_usd", "on_time", "plan");
    assertThat(SimulateTest.names(json.path("prices"))).containsExactly("source", "date");
    assertThat(SimulateTest.names(json.path("profile")))
        .containsExactly("source", "date", "samples");
    assertThat(json.path("assumed").path(0).asString()).isEqualTo("queue_s " + OFFER);
    assertThat(json.path("assumed").path(1).asString()).isEqualTo("boot_s " + OFFER);
    assertThat(worked("--json").json().path("frontier").size()).isZero();
  }

  @Test
  void showsScreenWithoutSpread() {
    GoldenFiles.check("plan", worked().out());
  }

  /** A bound for another job, and why nothing is proven, help only those who know the planner. */
  @Test
  void showsBoundsWithVerboseOutputOnly() {
    String[] details = {"of the optimum without spread; lower bound", "not proven optimal"};
    assertThat(spread("--budget", "3", "-v").out()).contains(details);
    assertThat(spread("--budget", "3").out())
        .contains("best static cluster")
        .doesNotContain(details);
  }

  @Test
  void showsScreenWithSpreadAndBudget() {
    String screen = spread("--budget", "3").out();
    GoldenFiles.check(
        "plan-spread",
        screen
            .replace(SPREAD_PROFILE, "profile-spread.yaml")
            .replace(SPREAD_OFFERS, "offers-spread.yaml"));
  }

  @Test
  void showsFrontierWithoutDeadline() throws IOException {
    Path job = jobWith("deadline: 430s", "budget: {usd: 2.4}");
    InProcessCli.Result result = new InProcessCli(folder).run("plan", job.toString(), "--frontier");
    assertThat(result.exit()).as(result.err()).isZero();
    GoldenFiles.check("plan-frontier", result.out().replace(job.toString(), "job.yaml"));
  }

  /** A search of so many trials has a plan within the same limits. */
  @ParameterizedTest
  @CsvSource({
    "'deadline: 430s', the limits",
    "'budget: {usd: 2.4}', the budget",
    "'budget: {usd: 6}', the budget"
  })
  void statesHowManyTrialsFitAtLeast(String limit, String named) throws IOException {
    String more = limit.startsWith("deadline") ? limit + "\nbudget: {usd: 3}" : limit;
    String job = jobWith("deadline: 430s", more).toString();
    String[] spread = {"plan", job, "--profile", SPREAD_PROFILE, "--offers", SPREAD_OFFERS};
    String screen = new InProcessCli(folder).run(spread).out();
    Matcher count =
        Pattern.compile("At least (\\d+) trials fit " + named + " with these").matcher(screen);

    assertThat(count.find()).as(screen).isTrue();
    assertThat(Integer.parseInt(count.group(1))).isGreaterThan(16);
    List<String> again = new ArrayList<>(List.of(spread));
    again.addAll(List.of("--trials", count.group(1)));
    assertThat(new InProcessCli(folder).run(again.toArray(String[]::new)).exit()).isZero();
  }

  /** The command would need other options too. */
  @Test
  void namesNoEstimateOfOtherLimits() {
    assertThat(run("plan", "job.yaml", "--budget", "3").out()).doesNotContain("elastune estimate");
  }

  @Test
  void jsonMovesScreenToStandardError() {
    InProcessCli.Result result = worked("--json");
    assertThat(result.err()).isEqualTo(worked().out());
  }

  @Test
  void infeasibleJobPrintsJson() {
    InProcessCli.Result result = run("plan", "job.yaml", "--deadline", "100s", "--json");

    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.json().path("feasible").asBoolean()).isFalse();
    assertThat(result.json().path("plan").size()).isZero();
    assertThat(result.json().path("violated").path(0).asString()).isEqualTo("deadline");
    assertNear(result.json().path("nearest").path("deadline_s"), 171.966);
    assertThat(result.json().path("nearest").path("budget_usd").isNull()).isTrue();
    GoldenFiles.check("plan-infeasible", result.err());
  }

  @Test
  void infeasibleDeadlineNamesCountsThatWereNotMeasured() throws IOException {
    String text = Files.readString(ExampleFiles.WORKED.resolve("profile.yaml"));
    Path profile = folder.resolve("profile.yaml");
    Files.writeString(profile, text.replaceAll("(?m)^  - \\{gpus: [48].*\n", ""));
    String[] late = {"plan", "job.yaml", "--profile", profile.toString(), "--deadline", "100s"};

    assertThat(run(late).out())
        .contains("trials may use 8 GPUs, but plans use measured counts only: at most 2 on V100");
    assertThat(run("plan", "job.yaml", "--deadline", "100s").out())
        .doesNotContain("measured counts only");
  }

  @Test
  void reportsBothLimits() {
    InProcessCli.Result result =
        run("plan", "job.yaml", "--deadline", "175s", "--budget", "1.6", "--json");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.json().path("nearest").path("budget_usd").isNumber()).isTrue();
    GoldenFiles.check("plan-infeasible-both", result.err());
  }

  @Test
  void predictsNothingWithoutProfile() throws IOException {
    Path job = jobWith("profile: {file: profile.yaml}", "");

    InProcessCli.Result result = new InProcessCli(folder).run("plan", job.toString());

    assertThat(result.exit()).isEqualTo(2);
    GoldenFiles.check("plan-unmeasured", result.out());
    assertThat(result.err())
        .startsWith("profile: ")
        .contains("--profile FILE")
        .doesNotContain("elastune run");
    InProcessCli.Result json = new InProcessCli(folder).run("plan", job.toString(), "--json");
    assertThat(json.json().path("error").path("problems").path(0).path("field").asString())
        .isEqualTo("profile");
  }

  @Test
  void measuredProvisioningIsNotMarked() throws IOException {
    String profile =
        Files.readString(ExampleFiles.WORKED.resolve("profile.yaml"))
            + """
            provisioning:
              - offer: %s
                queue_s: {mean: 20, cv: 0}
                boot_s: {mean: 60, cv: 0}
                samples: 3
            """
                .formatted(OFFER);
    Path file = Files.writeString(folder.resolve("measured.yaml"), profile);

    JsonNode json = worked("--json", "--profile", file.toString()).json();

    assertThat(json.path("assumed").size()).isZero();
    assertNear(json.path("estimate").path("completion_s").path("mean"), 344.171);
    assertThat(worked("--profile", file.toString()).out()).doesNotContain("~");
  }

  @Test
  void excludesOffersWithoutProfile() throws IOException {
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    String other =
        offers
            .substring(offers.indexOf("  - infra"))
            .replace("p3.8xlarge", "g5.12xlarge")
            .replace("V100", "A10G");
    Path both = Files.writeString(folder.resolve("both.yaml"), offers + other);
    Path only =
        Files.writeString(
            folder.resolve("only.yaml"), offers.substring(0, offers.indexOf("  - infra")) + other);

    assertThat(worked("--offers", both.toString()).out())
        .contains("skipped 1 offer: no profile for A10G");
    InProcessCli.Result none = run("plan", "job.yaml", "--offers", only.toString());
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("the offers have GPU A10G, but the profiles are for V100");
  }

  /** Which offers cannot be used is no detail of a proof. */
  @Test
  void showsWhyAnOfferHoldsNoTrial() throws IOException {
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    String larger =
        offers
            .substring(offers.indexOf("  - infra"))
            .replace("p3.8xlarge", "p3.16xlarge")
            .replace("gpus: 4", "gpus: 8")
            .replace("12.24", "24.48");
    Path both = Files.writeString(folder.resolve("both.yaml"), offers + larger);
    String job = Files.readString(ExampleFiles.WORKED.resolve("job.yaml"));
    Path limited =
        Files.writeString(
            folder.resolve("limited.yaml"),
            job.replace("max_instances: 8", "max_instances: 8\n  max_hourly_usd: 20")
                .replace("deadline: 430s", "deadline: 900s"));

    InProcessCli.Result result =
        run(
            "plan",
            limited.toString(),
            "--offers",
            both.toString(),
            "--profile",
            file("profile.yaml"));

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "aws/us-east-1/p3.16xlarge/on-demand: one instance costs 24.48 USD/h, more than"
                + " max_hourly_usd 20.0");
  }

  @Test
  void reportsProblemsOfAllFilesAtOnce() {
    InProcessCli.Result result =
        run("plan", "job.yaml", "--offers", "nowhere.yaml", "--profile", "no-profile.yaml");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly("nowhere.yaml: no such file", "no-profile.yaml: no such file");
  }

  /** If the job file names the files, its lines and the base of relative paths are reported. */
  @Test
  void reportsMissingFilesAtLinesOfJob() throws IOException {
    Files.createDirectory(folder.resolve("kept"));
    String job = Files.readString(ExampleFiles.WORKED.resolve("job.yaml"));
    Files.writeString(
        folder.resolve("job.yaml"),
        job.replace("offers: offers.yaml", "offers: nowhere.yaml")
            .replace("file: profile.yaml", "file: kept"));

    InProcessCli.Result result = new InProcessCli(folder).run("plan", "job.yaml");

    String hint = " (paths are relative to the folder of the job file)";
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly(
            "job.yaml:20: resources.offers: nowhere.yaml: no such file" + hint,
            "job.yaml:22: profile.file: kept: is a folder, not a file" + hint);
  }

  @Test
  void namesOptionOfInvalidOverride() {
    InProcessCli.Result result = run("plan", "job.yaml", "--deadline", "soon", "--json");
    assertThat(result.exit()).isEqualTo(2);
    JsonNode problem = result.json().path("error").path("problems").path(0);
    assertThat(problem.path("field").asString()).isEqualTo("--deadline");
    assertThat(problem.path("file").isNull()).isTrue();
  }

  @Test
  void requiresOffersFileWithoutShippedPrices() throws IOException {
    Path job = jobWith("  offers: offers.yaml", "");
    InProcessCli.Result result =
        new InProcessCli(folder).run("plan", job.toString(), "--infra", "aws/eu-west-9");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .contains("resources.offers: this version", "no shipped prices for aws/eu-west-9")
        .contains("--offers FILE");
  }

  @Test
  void usesShippedPricesWithoutOffersFile() throws IOException {
    InProcessCli.Result result = planWithoutOffersFile();
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("prices aws, shipped table: spot 2025-07, on demand 2026-07-20", "g5.");
  }

  @Test
  void plansOfflineInAnotherRegion() throws IOException {
    InProcessCli.Result region =
        planWithoutOffersFile("--infra", "aws/eu-west-1", "--deadline", "3h", "--frontier");
    assertThat(region.exit()).as(region.err()).isZero();
    assertThat(region.out())
        .contains("on demand 2026-01-21", "g5.")
        .contains("included: root disks and public addresses, up to $0.0187 per instance and hour")
        .contains("not included: egress, NAT, cross-zone traffic, taxes")
        .contains("~ uses assumed queueing and boot times for ");
  }

  /** Shipped boot times are of the image alone; those of an offers file include the setup. */
  @Test
  void addsAssumedTimeForSetup() throws IOException {
    String command = "  run: echo";
    InProcessCli.Result without = planWithoutOffersFile("--json");
    Path job = folder.resolve("job.yaml");
    Files.writeString(
        job, Files.readString(job).replace(command, "  setup: pip install -r r.txt\n" + command));
    InProcessCli.Result with = new InProcessCli(folder).run("plan", job.toString(), "--json");
    assertThat(with.json().at("/estimate/completion_s/mean").asDouble())
        .isGreaterThan(without.json().at("/estimate/completion_s/mean").asDouble() + 30);
    assertThat(new InProcessCli(folder).run("plan", job.toString()).out())
        .contains("assumed queueing and boot times, with 60 s for setup, for ");
  }

  @Test
  void namesWaitForCapacityAsNotIncluded() throws IOException {
    assertThat(planWithoutOffersFile("--wait-for-capacity", "30m").out())
        .contains("not included: up to 30m of waiting for capacity (resources.wait_for_capacity)");
  }

  @Test
  void plansOfflineOnSpot() throws IOException {
    InProcessCli.Result spot = planWithoutOffersFile("--market", "spot");
    assertThat(spot.exit()).as(spot.err()).isZero();
    assertThat(spot.out())
        .contains("included: faults, ", "AWS Spot Instance Advisor 2025")
        .doesNotContain("excludes interruptions", "median of 659");
  }

  private InProcessCli.Result planWithoutOffersFile(String... more) throws IOException {
    String job =
        Files.readString(jobWith("deadline: 430s", "deadline: 2h"))
            .replace("  offers: offers.yaml\n", "");
    Files.writeString(folder.resolve("job.yaml"), job);
    Path profile = folder.resolve("profile.yaml");
    Files.writeString(profile, Files.readString(profile).replace("gpu: V100", "gpu: A10G"));
    List<String> arguments =
        new ArrayList<>(List.of("plan", folder.resolve("job.yaml").toString()));
    arguments.addAll(List.of(more));
    return new InProcessCli(folder).run(arguments.toArray(String[]::new));
  }

  @Test
  void simulatesSavedPlan() {
    Path plan = folder.resolve("plan.json");
    assertThat(worked("-o", plan.toString()).out()).contains("Plan saved to " + plan);

    JsonNode json = run("simulate", "job.yaml", plan.toString(), "--json").json();

    assertNear(json.path("estimate").path("cost_usd").path("mean"), 1.7170);
  }

  @Test
  void reportsUnwritablePlanFile() {
    InProcessCli.Result result = run("plan", "job.yaml", "-o", folder + "/nowhere/plan.json");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("nowhere/plan.json").contains("no such file or folder");
    assertThat(run("plan", "job.yaml", "-o", folder + "/nowhere/plan.json", "--json").json())
        .as("one document only")
        .hasSize(1);
  }

  @Test
  void acceptsDistantDeadline() {
    assertThat(run("plan", "job.yaml", "--deadline", "9999-12-31T23:59:59Z").exit()).isZero();
    assertThat(run("plan", "job.yaml", "--deadline", "509.70999999999998s").exit()).isZero();
  }

  private Path jobWith(String text, String replacement) throws IOException {
    for (String name : List.of("profile.yaml", "offers.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    String job = Files.readString(ExampleFiles.WORKED.resolve("job.yaml"));
    assertThat(job).contains(text);
    return Files.writeString(folder.resolve("job.yaml"), job.replace(text, replacement));
  }

  private InProcessCli.Result spread(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--profile", SPREAD_PROFILE, "--offers", SPREAD_OFFERS));
    arguments.addAll(List.of(more));
    return worked(arguments.toArray(String[]::new));
  }

  private InProcessCli.Result worked(String... more) {
    List<String> arguments = new ArrayList<>(List.of("plan", "job.yaml"));
    arguments.addAll(List.of(more));
    InProcessCli.Result result = run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private InProcessCli.Result run(String... arguments) {
    return InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home")).run(arguments);
  }

  private static String allocations(JsonNode plan) {
    List<String> groups = new ArrayList<>();
    plan.forEach(
        row ->
            groups.add(row.path("instances").asInt() + "×" + row.path("gpus_per_trial").asInt()));
    return String.join(" ", groups);
  }

  /** Compares with the precision of the tables in docs/model.md. */
  private static void assertNear(JsonNode number, double expected) {
    double half = expected >= 100 ? 0.0005 : 0.00005;
    assertThat(number.asDouble()).isCloseTo(expected, within(half));
  }
}
