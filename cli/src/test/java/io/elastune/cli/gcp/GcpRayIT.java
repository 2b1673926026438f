package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.rented.SurvivedRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Complete runs on a fake Compute Engine whose instances are processes that form a Ray cluster. */
@Order(1) // long, and mostly waiting
class GcpRayIT {
  private static final CloudRun RUN = GcpRunIT.RUN;

  @TempDir private Path folder;

  private FakeGcp gcp;
  private EmulatedNodes nodes;
  private CloudCommand elastune;

  @BeforeEach
  void open() throws Exception {
    String python = RayPythonForTests.find();
    gcp = new FakeGcp(InstantSource.system());
    gcp.compute().times(lease -> FakeTimes.millis(0, 0, 100));
    nodes = new EmulatedNodes(new ComputeNodes(gcp), folder.resolve("instances"));
    gcp.compute().guestAttribute((name, script) -> nodes.guestAttribute(script));
    elastune = RentedRayCheck.onRay(GcpCommand.in(gcp, folder));
    Files.writeString(
        elastune.home().resolve("clouds.yaml"),
        GcpCommand.SETTINGS + RentedRayCheck.settings(python, folder.resolve("nodes")));
  }

  @AfterEach
  void close() {
    if (nodes != null) {
      nodes.close();
      gcp.close();
    }
  }

  /** An organization policy forbids the guest attributes, with which nodes report. */
  @Test
  @Tag(Tier.NIGHTLY)
  void shrinksAndLedgerMatchesBill() throws Exception {
    gcp.refuse(
        "compute.instances.getGuestAttributes",
        412,
        "conditionNotMet",
        "Constraint constraints/compute.disableGuestAttributesAccess violated.");
    CommandResult run = RUN.execute(elastune).assertExit(0);

    assertThat(gcp.compute().existingLeases()).isEmpty();
    RUN.check(elastune, run, gcp.compute().billedSeconds());
    RentedRayCheck.checkNothingIsLeft(elastune, run, nodes);
  }

  /** Checkpoints are stored in a bucket of a fake that verifies the signatures of all requests. */
  @Test
  @Tag(Tier.NIGHTLY)
  void survivesFaultsWithCheckpointsInBucket() throws Exception {
    try (FakeStorage storage = FakeStorage.start()) {
      CloudCommand stored =
          elastune.with(Map.of("CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", storage.url()));
      SurvivedRun run =
          SurvivedRun.execute(
              RUN,
              stored,
              ", checkpoint: {store: gs://" + storage.bucket() + "/tuning}",
              gcp.compute()::runningLeases,
              lease -> gcp.compute().preempt(lease, Duration.ZERO));

      run.check();
      assertThat(storage.objects()).containsKey("tuning/" + run.lastCheckpoint());
      assertThat(storage.unfinished()).isZero();
      assertThat(run.folder().path().resolve("trials")).doesNotExist();
      assertThat(gcp.compute().existingLeases()).isEmpty();
      RUN.checkBill(elastune, run.end(), gcp.compute().billedSeconds());
      RentedRayCheck.checkNothingIsLeft(elastune, run.end(), nodes);
    }
  }
}
