package io.elastune.cli.aws;

import io.elastune.cli.rented.ProcessExitCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.aws.fake.FakeAws;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that threads of the AWS SDK do not keep the process alive. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class AwsExitIT {
  @TempDir private Path folder;

  @Test
  void everyCommandExits() throws Exception {
    try (FakeAws aws = new FakeAws(InstantSource.system())) {
      for (String zone : new String[] {"us-east-1a", "us-east-1b"}) {
        aws.ec2().pool("g5.xlarge", zone, 0);
      }
      new ProcessExitCheck(AwsRunIT.RUN).check(AwsCommand.in(aws, folder));
    }
  }
}
