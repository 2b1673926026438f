package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests complete runs that rent on Google Cloud. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class GcpRunIT {
  static final CloudRun RUN = new CloudRun("gcp/us-central1", "g2-standard-4", 0.706832);

  @TempDir private Path folder;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws Exception {
    gcp = new FakeGcp(InstantSource.system());
    gcp.compute().times(lease -> FakeTimes.millis(0, 500, 300));
    gcp.compute().visibleAfter(Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    gcp.close();
  }

  @Test
  void shrinksAndLedgerMatchesBill() throws Exception {
    CloudCommand elastune = GcpCommand.in(gcp, folder);
    CommandResult run = RUN.execute(elastune).assertExit(0);

    assertThat(gcp.compute().existingLeases()).isEmpty();
    assertThat(gcp.compute().peakInstances()).isEqualTo(4);
    assertThat(gcp.compute().createdLeases()).doesNotHaveDuplicates().hasSize(4);
    RUN.check(elastune, run, gcp.compute().billedSeconds());
  }

  @Test
  void noCapacityTriesEachZoneAndExitsWith14() throws Exception {
    for (String zone : List.of("us-central1-a", "us-central1-b", "us-central1-c")) {
      gcp.compute().pool("g2-standard-4", zone, 0);
    }
    CommandResult run = RUN.execute(GcpCommand.in(gcp, folder)).assertExit(14);
    assertThat(run.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(gcp.compute().createdLeases()).isEmpty();
    assertThat(run.err())
        .contains(
            "g2-standard-4 (on-demand) is unavailable in all zones of gcp/us-central1",
            "tried us-central1-a, us-central1-b, us-central1-c within",
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "try another instance type, region or market");
    assertThat(gcp.calls("compute.instances.insert"))
        .as("each lease tries each zone once")
        .isLessThanOrEqualTo(12);
  }
}
