package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Tests complete runs that rent on AWS. */
@Execution(ExecutionMode.CONCURRENT)
class AwsRunIT {
  static final CloudRun RUN = new CloudRun("aws/us-east-1", "g5.xlarge", 1.006);

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws Exception {
    aws = new FakeAws(InstantSource.system());
    aws.ec2().times(lease -> FakeTimes.millis(0, 500, 300));
    aws.ec2().visibleAfter(Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    aws.close();
  }

  @Test
  void shrinksAndLedgerMatchesBill() throws Exception {
    CloudCommand elastune = AwsCommand.in(aws, folder);
    CommandResult run = RUN.execute(elastune).assertExit(0);

    assertThat(aws.ec2().runningLeases()).isEmpty();
    assertThat(aws.ec2().peakInstances()).isEqualTo(4);
    assertThat(aws.ec2().launchedLeases()).doesNotHaveDuplicates().hasSize(4);
    RUN.check(elastune, run, aws.ec2().billedSeconds());
  }

  /** A user reads what happened, what it has cost and what follows on each screen. */
  @Test
  void twoBadNodesAreReplacedAndExplained() throws Exception {
    List<String> ids = new CopyOnWriteArrayList<>();
    aws.ec2()
        .console(
            (id, userData) -> {
              ids.add(id);
              List<String> instances = ids.stream().distinct().toList();
              return switch (instances.indexOf(id)) {
                case 1 -> failed(1, "E: Could not get lock /var/lib/apt/lists/lock");
                case 3 -> failed(PreparationStep.ACCEPTANCE.exit(), "0 of 1 GPUs answer");
                // Others are ready after both have failed: before, a trial could be done so soon
                // that the second one was not needed any more.
                default -> instances.size() < 4 ? "" : "ELASTUNE-NODE ready\n";
              };
            });
    CloudCommand elastune = AwsCommand.in(aws, folder);
    CommandResult run = RUN.execute(elastune).assertExit(0);

    assertThat(aws.ec2().runningLeases()).isEmpty();
    // Four are planned. The second failure may come when the group needs no replacement any more.
    assertThat(aws.ec2().launchedLeases()).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(5);
    JsonNode report = RUN.checkBill(elastune, run, aws.ec2().billedSeconds());
    List<String> leases = failedLeases(elastune, run);
    double lost = usd(report, leases);
    assertThat(report.path("failed_nodes_usd").asDouble()).isCloseTo(lost, Offset.offset(1e-9));
    String summary = "2 nodes could not become ready, " + UsdFormat.format(lost) + " lost";
    assertThat(run.err())
        .containsPattern("node_failed: \\S+ is released, \\$\\S+ lost so far.*: Could not get lock")
        .contains(" bad nodes    " + summary);
    assertThat(elastune.inProcess("status", run.run()).assertExit(0).out())
        .contains(" bad nodes  " + summary + ". Causes: elastune explain " + run.run());
    String text = elastune.inProcess("report", run.run()).assertExit(0).out();
    assertThat(text).contains(" bad nodes    " + summary);
    for (String lease : leases) {
      assertThat(text)
          .contains("\n   " + lease + ", " + UsdFormat.format(usd(report, List.of(lease))));
    }
    assertThat(text).contains("the boot script ended with exit code 1: E: Could not get lock");
    assertThat(elastune.inProcess("explain", run.run()).assertExit(0).out())
        .contains("node acceptance failed", "| 0 of 1 GPUs answer", "| E: Could not get lock")
        .doesNotContain("its node cannot become ready"); // the same decision again
  }

  private static String failed(int exit, String output) {
    String text = "checking the node\n" + output + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return "ELASTUNE-NODE failed " + exit + " " + Base64.getEncoder().encodeToString(bytes) + "\n";
  }

  private static List<String> failedLeases(CloudCommand elastune, CommandResult run)
      throws Exception {
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      return journal.decisions().stream()
          .filter(row -> row.kind() == DecisionKind.NODE_FAILED)
          .map(row -> row.reason().details().get(0))
          .toList();
    }
  }

  private static double usd(JsonNode report, List<String> leases) {
    return report
        .path("leases")
        .valueStream()
        .filter(lease -> leases.contains(lease.path("id").asString()))
        .mapToDouble(lease -> lease.path("usd").asDouble())
        .sum();
  }

  /** The default spending guard is no reason to end a run that spot capacity does not serve. */
  @Test
  void missingSpotQuotaLeadsToOnDemand() throws Exception {
    aws.ec2().spotQuota(0);
    CloudCommand elastune = AwsCommand.in(aws, folder);
    Path job = RUN.autoJob().write(folder.resolve("job"));
    CommandResult run = elastune.run("run", job.toString(), "--json", "-y").assertExit(0);

    assertThat(run.err()).contains("MaxSpotInstanceCountExceeded");
    assertThat(aws.ec2().launchedLeases()).isNotEmpty();
    assertThat(aws.ec2().runningLeases()).isEmpty();
    long billedS = aws.ec2().billedSeconds().values().stream().mapToLong(some -> some).sum();
    assertThat(run.lastLine().path("cost_usd").asDouble())
        .isCloseTo(billedS * RUN.usdPerHour() / 3600, Offset.offset(1e-8));
  }

  @Test
  void missingQuotaExitsWith14() throws Exception {
    aws.ec2().quota(0);
    CommandResult run = refused().assertExit(14);
    assertThat(run.err()).contains("Running On-Demand G and VT instances", "L-DB2E81BA");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void missingPermissionExitsWith15() throws Exception {
    aws.deny(Set.of("ec2:RunInstances"));
    CommandResult run = refused().assertExit(15);
    assertThat(run.err()).contains("may not ec2:RunInstances");
  }

  private CommandResult refused() throws Exception {
    CommandResult run = RUN.execute(AwsCommand.in(aws, folder));
    assertThat(run.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(aws.ec2().launchedLeases()).isEmpty();
    return run;
  }
}
