package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

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

  @Test
  void missingQuotaExitsWith14() throws Exception {
    aws.ec2().quota(0);
    CommandResult run = refused().assertExit(14);
    assertThat(run.err()).contains("Running On-Demand G and VT instances", "L-DB2E81BA");
  }

  @Test
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
