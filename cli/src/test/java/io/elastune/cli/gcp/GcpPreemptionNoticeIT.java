package io.elastune.cli.gcp;

import io.elastune.cli.rented.PreemptionNoticeCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests a preemption notice of Google Cloud during training. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class GcpPreemptionNoticeIT {
  /** The notice period of Google Cloud, which is polled every five seconds. */
  private static final Duration NOTICE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void trialsSaveAndContinueElsewhere() throws Exception {
    try (FakeGcp gcp = new FakeGcp(InstantSource.system())) {
      gcp.compute().times(lease -> FakeTimes.millis(0, 200, 100));
      new PreemptionNoticeCheck(GcpRunIT.RUN)
          .check(GcpCommand.in(gcp, folder), lease -> gcp.compute().preempt(lease, NOTICE));
    }
  }
}
