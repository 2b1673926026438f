package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.NodeCloud;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.testing.CommandResult;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a fake Compute Engine whose instances are processes that form a Ray cluster. */
class GcpRayIT {
  @TempDir private Path folder;

  @Test
  void shrinksAndLedgerMatchesBill() throws Exception {
    String python = RayPythonForTests.find();
    try (FakeGcp gcp = new FakeGcp(InstantSource.system());
        EmulatedNodes nodes =
            new EmulatedNodes(new ComputeNodes(gcp), folder.resolve("instances"))) {
      gcp.compute().times(lease -> FakeTimes.millis(0, 0, 100));
      gcp.compute().guestAttribute((name, script) -> nodes.guestAttribute(script));
      CloudCommand elastune = RentedRayCheck.onRay(GcpCommand.in(gcp, folder));
      Files.writeString(
          elastune.home().resolve("clouds.yaml"),
          GcpCommand.SETTINGS + RentedRayCheck.settings(python, folder.resolve("nodes")));

      CommandResult run = GcpRunIT.RUN.execute(elastune).assertExit(0);

      assertThat(gcp.compute().existingLeases()).isEmpty();
      GcpRunIT.RUN.check(elastune, run, gcp.compute().billedSeconds());
      RentedRayCheck.checkNothingIsLeft(elastune, run, nodes);
    }
  }

  private record ComputeNodes(FakeGcp gcp) implements NodeCloud {
    @Override
    public List<String> leases() {
      return gcp.compute().runningLeases();
    }

    @Override
    public String script(String lease) {
      return gcp.compute().metadata(lease, "startup-script");
    }

    @Override
    public String expiry(String lease) {
      return gcp.compute().metadata(lease, Tags.EXPIRES);
    }
  }
}
