package io.elastune.cli.gcp;

import io.elastune.cli.rented.KilledRunsCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills runs that rent on Google Cloud. More rounds: {@code -Delastune.gcp.kills=30}. */
@Tag(Tier.NIGHTLY)
class GcpKillIT {
  private static final long SEED = Long.getLong("elastune.seed", 11);
  private static final int ROUNDS = Tier.runs("elastune.gcp.kills", 1, 30);

  @TempDir private Path folder;

  @Test
  void orphansAreFoundAfterKill() throws Exception {
    try (FakeGcp gcp = new FakeGcp(InstantSource.system())) {
      gcp.compute().times(lease -> FakeTimes.millis(500, 1000, 300));
      gcp.compute().visibleAfter(Duration.ofMillis(300));
      new KilledRunsCheck(new GcpProbe(gcp), GcpRunIT.RUN, ROUNDS, SEED)
          .check(GcpCommand.in(gcp, folder));
    }
  }

  private record GcpProbe(FakeGcp gcp) implements KilledRunsCheck.CloudProbe {
    @Override
    public long launches() {
      return gcp.calls("compute.instances.insert");
    }

    @Override
    public Collection<String> existing() {
      return gcp.compute().existingLeases();
    }

    @Override
    public Collection<String> everLaunched() {
      return gcp.compute().createdLeases();
    }

    @Override
    public void add(Map<String, String> tags) {
      String name = "elastune-" + tags.get(Tags.LEASE);
      gcp.compute().add("us-central1-b", name, "g2-standard-4", tags);
    }
  }
}
