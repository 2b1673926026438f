package io.elastune.cli.aws;

import io.elastune.cli.rented.KilledRunsCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills runs that rent on AWS. More rounds: {@code -Delastune.aws.kills=30}. */
class AwsKillIT {
  private static final long SEED = Long.getLong("elastune.seed", 11);
  private static final int ROUNDS = Tier.runs("elastune.aws.kills", 1, 30);

  @TempDir private Path folder;

  @Test
  void orphansAreFoundAfterKill() throws Exception {
    try (FakeAws aws = new FakeAws(InstantSource.system())) {
      aws.ec2().times(lease -> FakeTimes.millis(500, 1000, 300));
      aws.ec2().visibleAfter(Duration.ofMillis(300));
      new KilledRunsCheck(new AwsProbe(aws), AwsRunIT.RUN, ROUNDS, SEED)
          .check(AwsCommand.in(aws, folder));
    }
  }

  private record AwsProbe(FakeAws aws) implements KilledRunsCheck.CloudProbe {
    @Override
    public long launches() {
      return aws.calls("RunInstances");
    }

    @Override
    public Collection<String> existing() {
      return aws.ec2().runningLeases();
    }

    @Override
    public Collection<String> everLaunched() {
      return aws.ec2().launchedLeases();
    }

    @Override
    public void add(Map<String, String> tags) {
      aws.ec2().add("g5.xlarge", tags);
    }
  }
}
