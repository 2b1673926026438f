package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A whole run that rents on AWS. */
class AwsRunIT {
  private static final double USD_PER_HOUR = 1.006;

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws Exception {
    aws = new FakeAws(InstantSource.system());
    aws.ec2().times(lease -> FakeTimes.millis(0, 500, 300));
    aws.ec2().visibleAfter(java.time.Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    aws.close();
  }

  @Test
  void itShrinksAndItsLedgerIsTheBill() throws Exception {
    AwsCommand elastune = AwsCommand.in(aws, folder);
    Path job = job().write(folder.resolve("job"));

    Ended run = elastune.run("run", job.toString(), "--json", "-y").with(0);

    JsonNode end = run.last();
    assertThat(end.path("event").asString()).isEqualTo("finished");
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    assertThat(end.at("/trials/failed").asInt()).isZero();
    assertThat(aws.ec2().up()).isEmpty();
    assertThat(aws.ec2().most()).isEqualTo(4);
    assertThat(aws.ec2().ever()).doesNotHaveDuplicates().hasSize(4);
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
  void withoutQuotaItEndsWith14AndTheQuotasName() throws Exception {
    aws.ec2().quota(0);
    Ended run = refused().with(14);
    assertThat(run.err()).contains("Running On-Demand G and VT instances", "L-DB2E81BA");
  }

  @Test
  void withoutPermissionItEndsWith15AndThePermissionsName() throws Exception {
    aws.deny(Set.of("ec2:RunInstances"));
    Ended run = refused().with(15);
    assertThat(run.err()).contains("may not ec2:RunInstances");
  }

  private Ended refused() throws Exception {
    AwsCommand elastune = AwsCommand.in(aws, folder);
    Ended run = elastune.run("run", job().write(folder.resolve("job")).toString(), "--json", "-y");
    assertThat(run.last().path("instances_left").asInt(-1)).isZero();
    assertThat(aws.ec2().ever()).isEmpty();
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
    aws.ec2()
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
    return new TinyJob("aws")
        .search("{algorithm: sha, trials: 4, eta: 2, ", "min: 1, max: 4")
        .profile("[{gpus: 1, seconds: 60}]")
        .with("deadline", "275s")
        .rents(
            "aws/us-east-1",
            List.of(
                "  - {infra: aws/us-east-1, instance_type: g5.xlarge, gpu: cpu, gpus: 1,"
                    + " market: on-demand, usd_per_hour: "
                    + USD_PER_HOUR
                    + ", price: list, billing: {per: instance, granularity_s: 1, minimum_s: 0,"
                    + " per_use_usd: 0}, queue_s: {mean: 2, cv: 0}, boot_s: {mean: 4, cv: 0},"
                    + " data_in_usd: 0, disk_usd_per_hour: 0}"));
  }
}
