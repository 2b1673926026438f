package io.elastune.cli.gcp;

import io.elastune.cli.rented.ProcessExitCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that all clients of Google's library are closed: open ones keep the process alive. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class GcpExitIT {
  @TempDir private Path folder;

  @Test
  void everyCommandExits() throws Exception {
    try (FakeGcp gcp = new FakeGcp(InstantSource.system())) {
      for (String zone : List.of("us-central1-a", "us-central1-b", "us-central1-c")) {
        gcp.compute().pool("g2-standard-4", zone, 0);
      }
      new ProcessExitCheck(GcpRunIT.RUN).check(GcpCommand.in(gcp, folder));
    }
  }
}
