package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A whole run that rents on Google Cloud. */
class GcpRunIT {
  private static final double USD_PER_HOUR = 0.706832;

  @TempDir private Path folder;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws Exception {
    gcp = new FakeGcp(InstantSource.system());
    gcp.compute().times(lease -> FakeTimes.millis(0, 500, 300));
    gcp.compute().visibleAfter(java.time.Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    gcp.close();
  }

  @Test
  void itShrinksAndItsLedgerIsTheBill() throws Exception {
    GcpCommand elastune = GcpCommand.in(gcp, folder);
    Path job = job().write(folder.resolve("job"));

    Ended run = elastune.run("run", job.toString(), "--json", "-y").with(0);

    JsonNode end = run.last();
    assertThat(end.path("event").asString()).isEqualTo("finished");
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    assertThat(end.at("/trials/failed").asInt()).isZero();
    assertThat(gcp.compute().there()).isEmpty();
    assertThat(gcp.compute().most()).isEqualTo(4);
    assertThat(gcp.compute().ever()).doesNotHaveDuplicates().hasSize(4);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      assertThat(journal.groups()).extracting(RunReader.Group::instances).containsExactly(4, 2, 1);
    }
    JsonNode report = elastune.run("report", run.run(), "--json").with(0).json();
    assertThat(usdByLease(report)).isEqualTo(bill());
    assertThat(end.path("cost_usd").asDouble())
        .isCloseTo(bill().values().stream().mapToDouble(usd -> usd).sum(), Offset.offset(1e-8));
    checkEstimate(report);
    nothingSecretIsWritten();
  }

  @Test
  void withoutCapacityAllZonesAreTriedOnceAndItEndsWith14Soon() throws Exception {
    for (String zone : List.of("us-central1-a", "us-central1-b", "us-central1-c")) {
      gcp.compute().pool("g2-standard-4", zone, 0);
    }
    Ended run = refused().with(14);
    assertThat(run.err())
        .contains(
            "g2-standard-4 (on-demand) is not to be had in any zone of gcp/us-central1",
            "asked us-central1-a, us-central1-b, us-central1-c within",
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "another instance type, region or market may have it");
    assertThat(gcp.calls("compute.instances.insert"))
        .as("each zone once, by each lease")
        .isLessThanOrEqualTo(12);
  }

  private Ended refused() throws Exception {
    GcpCommand elastune = GcpCommand.in(gcp, folder);
    Ended run = elastune.run("run", job().write(folder.resolve("job")).toString(), "--json", "-y");
    assertThat(run.last().path("instances_left").asInt(-1)).isZero();
    assertThat(gcp.compute().ever()).isEmpty();
    return run;
  }

  /** What was predicted stands beside what came of it, group by group. */
  private static void checkEstimate(JsonNode report) {
    assertThat(report.at("/estimate/cost_usd/mean").asDouble()).isPositive();
    assertThat(report.path("groups")).hasSize(3);
    report
        .path("groups")
        .forEach(
            group -> {
              assertThat(group.path("predicted_s").asDouble()).isPositive();
              assertThat(group.path("actual_s").asDouble()).isPositive();
              assertThat(group.path("predicted_usd").asDouble()).isPositive();
              assertThat(group.path("actual_usd").asDouble()).isPositive();
            });
  }

  private static Map<String, Double> usdByLease(JsonNode report) {
    Map<String, Double> usd = new TreeMap<>();
    report
        .path("leases")
        .forEach(lease -> usd.put(lease.path("id").asString(), rounded(lease.path("usd"))));
    return usd;
  }

  private Map<String, Double> bill() {
    Map<String, Double> usd = new TreeMap<>();
    gcp.compute()
        .bill()
        .forEach((lease, seconds) -> usd.put(lease, rounded(seconds * USD_PER_HOUR / 3600)));
    return usd;
  }

  private static double rounded(JsonNode usd) {
    return rounded(usd.asDouble());
  }

  private static double rounded(double usd) {
    return Math.round(usd * 1e9) / 1e9;
  }

  private void nothingSecretIsWritten() throws Exception {
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file).content(StandardCharsets.ISO_8859_1).doesNotContain("hush-hush");
      }
    }
  }

  /** Four trials, of which two and then one go on: only four at once keep the deadline. */
  static TinyJob job() {
    return new TinyJob("gcp")
        .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 1, max: 4")
        .profile("[{gpus: 1, seconds: 60}]")
        .with("deadline", "275s")
        .rents(
            "gcp/us-central1",
            List.of(
                "  - {infra: gcp/us-central1, instance_type: g2-standard-4, gpu: cpu, gpus: 1,"
                    + " market: on-demand, usd_per_hour: "
                    + USD_PER_HOUR
                    + ", price: list, billing: {per: instance, granularity_s: 1, minimum_s: 0,"
                    + " per_use_usd: 0}, queue_s: {mean: 2, cv: 0}, boot_s: {mean: 4, cv: 0},"
                    + " data_in_usd: 0, disk_usd_per_hour: 0}"));
  }
}
