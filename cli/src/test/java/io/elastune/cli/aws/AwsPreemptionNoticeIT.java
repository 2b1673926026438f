package io.elastune.cli.aws;

import io.elastune.cli.rented.PreemptionNoticeCheck;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests a spot interruption notice of EC2 during training. */
@Execution(ExecutionMode.CONCURRENT)
class AwsPreemptionNoticeIT {
  @TempDir private Path folder;

  @Test
  void trialsSaveAndContinueElsewhere() throws Exception {
    try (FakeAws aws = new FakeAws(InstantSource.system())) {
      aws.ec2().times(lease -> FakeTimes.millis(0, 200, 100));
      new PreemptionNoticeCheck(AwsRunIT.RUN)
          .check(AwsCommand.in(aws, folder), aws.ec2()::giveInterruptionNotice);
    }
  }
}
