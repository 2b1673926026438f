package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A complete run on a fake cloud that computes its own bill.
 *
 * @param place the location, e.g. {@code aws/us-east-1}
 * @param type the only instance type offered
 * @param usdPerHour its price
 */
public record CloudRun(String place, String type, double usdPerHour) {
  /** Contained in every secret that tests pass to commands. */
  public static final String SECRET = "hush-hush";

  /** Four trials, then two, then one. Only four instances at first meet the deadline. */
  public TinyJob job() {
    return new TinyJob(place.split("/", 2)[0])
        .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 1, max: 4")
        .profile("[{gpus: 1, seconds: 60}]")
        .with("deadline", "275s")
        .location(place, List.of(offer("on-demand")));
  }

  /** Two trials on spot. Each needs an instance of its own for the whole run. */
  TinyJob spotJob(int units) {
    return new TinyJob(place.split("/", 2)[0] + "-spot")
        .search("{algorithm: random, trials: 2, ", "max: " + units)
        .profile("[{gpus: 1, seconds: 60}]")
        .with("deadline", 60 * (units + 2) + "s")
        .location(place, List.of(offer("spot")))
        .with(
            "resources",
            "{infra: [" + place + "], offers: offers.yaml, market: spot, max_instances: 2}");
  }

  /** Two trials without a budget, on the market that is cheaper. */
  public TinyJob autoJob() {
    return new TinyJob(place.split("/", 2)[0] + "-auto")
        .search("{algorithm: random, trials: 2, ", "max: 2")
        .profile("[{gpus: 1, seconds: 60}]")
        .with("deadline", "1h")
        .location(place, List.of(offer("on-demand", usdPerHour), offer("spot", usdPerHour / 4)))
        .with("resources", "{infra: [" + place + "], offers: offers.yaml, market: auto}");
  }

  private String offer(String market) {
    return offer(market, usdPerHour);
  }

  private String offer(String market, double usdPerHour) {
    return "  - {infra: "
        + place
        + ", instance_type: "
        + type
        + ", gpu: cpu, gpus: 1, market: "
        + market
        + ", usd_per_hour: "
        + usdPerHour
        + ", price: list, billing: {per: instance, granularity_s: 1, minimum_s: 0,"
        + " per_use_usd: 0}, queue_s: {mean: 2, cv: 0}, boot_s: {mean: 4, cv: 0},"
        + " data_in_usd: 0, disk_usd_per_hour: 0}";
  }

  /** Runs the job. */
  public CommandResult execute(CloudCommand elastune) throws IOException, InterruptedException {
    Path job = job().write(elastune.folder().resolve("job"));
    return elastune.run("run", job.toString(), "--json", "-y");
  }

  /**
   * Checks that a successful run has shrunk from four instances to one, and that its ledger matches
   * the cloud's bill.
   *
   * @param billed the seconds billed by the cloud, by lease
   */
  public void check(CloudCommand elastune, CommandResult run, Map<String, Long> billed)
      throws Exception {
    JsonNode end = run.lastLine();
    assertThat(end.path("event").asString()).isEqualTo("finished");
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    assertThat(end.at("/trials/failed").asInt()).isZero();
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      assertThat(journal.groups()).extracting(GroupRow::instances).containsExactly(4, 2, 1);
    }
    JsonNode report = checkBill(elastune, run, billed);
    checkEstimate(report);
  }

  /**
   * Checks that the ledger of a successful run matches the cloud's bill, and that no secret was
   * written. Returns the run's report.
   *
   * @param billed the seconds billed by the cloud, by lease
   */
  public JsonNode checkBill(CloudCommand elastune, CommandResult run, Map<String, Long> billed)
      throws Exception {
    JsonNode report = elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
    Map<String, Double> bill = new TreeMap<>();
    billed.forEach((lease, seconds) -> bill.put(lease, rounded(seconds * usdPerHour / 3600)));
    assertThat(usdByLease(report)).isEqualTo(bill);
    assertThat(run.lastLine().path("cost_usd").asDouble())
        .isCloseTo(bill.values().stream().mapToDouble(usd -> usd).sum(), Offset.offset(1e-8));
    checkNoSecretIsWritten(elastune.folder());
    return report;
  }

  /** Checks that the report has predicted and actual values for every group. */
  private static void checkEstimate(JsonNode report) {
    assertThat(report.at("/estimate/cost_usd/mean").asDouble()).isPositive();
    assertThat(report.path("groups")).hasSize(3);
    for (JsonNode group : report.path("groups")) {
      for (String field : List.of("predicted_s", "actual_s", "predicted_usd", "actual_usd")) {
        assertThat(group.path(field).asDouble()).as(field).isPositive();
      }
    }
  }

  private static Map<String, Double> usdByLease(JsonNode report) {
    Map<String, Double> usd = new TreeMap<>();
    for (JsonNode lease : report.path("leases")) {
      usd.put(lease.path("id").asString(), rounded(lease.path("usd").asDouble()));
    }
    return usd;
  }

  private static double rounded(double usd) {
    return Math.round(usd * 1e9) / 1e9;
  }

  /** Waits until a trial of a run has reported. */
  public static RunFolder awaitReport(CloudCommand elastune, RunningCommand started)
      throws Exception {
    String line = Files.readAllLines(started.out()).get(0);
    RunFolder run =
        RunFolder.of(elastune.home(), JsonMapper.shared().readTree(line).path("run").asString());
    while (true) {
      try (RunReader journal = RunReader.open(run)) {
        if (!journal.reports().isEmpty()) {
          return run;
        }
      }
      assertThat(started.process().waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  private static void checkNoSecretIsWritten(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file).content(StandardCharsets.ISO_8859_1).doesNotContain(SECRET);
      }
    }
  }
}
