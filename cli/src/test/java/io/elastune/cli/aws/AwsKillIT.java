package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Started;
import io.elastune.cli.testing.TinyJob;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the command at any moment of a launch of eight instances: whatever has been
 * rented by then is found from an empty home, by EC2's word alone, and ended. More rounds: {@code
 * -Delastune.aws.kills=30}.
 */
class AwsKillIT {
  private static final long SEED = Long.getLong("elastune.seed", 11);
  private static final int ROUNDS = Integer.getInteger("elastune.aws.kills", 2);

  /**
   * After the first call. By then all eight have been launched, at two a second after the first
   * five, and the first of them are ready.
   */
  private static final int LATEST_MS = 4000;

  private static final InstantSource TIME = InstantSource.system();

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws Exception {
    aws = new FakeAws(TIME);
    aws.ec2().times(lease -> FakeTimes.millis(500, 1000, 300));
    aws.ec2().visibleAfter(Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    aws.close();
  }

  @Test
  void nothingIsLeftWheneverItIsKilled() throws Exception {
    Random chance = new Random(SEED);
    AwsCommand elastune = AwsCommand.in(aws, folder);
    AwsCommand elsewhere = new AwsCommand(aws, folder, Files.createDirectory(folder.resolve("e")));
    String job = job().write(folder.resolve("job")).toString();
    int most = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      int afterMs = chance.nextInt(LATEST_MS);
      String as = "round " + round + ", killed after " + afterMs + " ms, seed " + SEED;
      long before = aws.calls("RunInstances");
      Started run = elastune.start("run", job, "-y").says(" starts; ");
      while (aws.calls("RunInstances") == before) {
        assertThat(run.process().waitFor(20, TimeUnit.MILLISECONDS)).as(as).isFalse();
      }
      assertThat(run.process().waitFor(afterMs, TimeUnit.MILLISECONDS)).as(as).isFalse();
      run.process().destroyForcibly();
      run.process().waitFor();
      int left = aws.ec2().up().size();
      most = Math.max(most, left);

      String hers = colleaguesInstance(round);
      elsewhere.run("orphans", "--delete", "-y").with(0);
      assertThat(aws.ec2().up()).as(as).contains(hers).hasSize(left + 1);
      elsewhere.run("orphans", "--delete", "--all", "-y").with(0);
      assertThat(aws.ec2().up()).as(as).isEmpty();
      System.out.println("AwsKillIT: " + as + ": " + left + " were up");
    }
    assertThat(aws.ec2().ever()).doesNotHaveDuplicates();
    assertThat(ROUNDS < 10 || most == 8).as("all eight were up once, of %d", most).isTrue();
  }

  /** It is looked after: its controller has just put its time off. */
  private String colleaguesInstance(int round) {
    String lease = "hers-" + round;
    String expires = Long.toString(TIME.instant().getEpochSecond() + 900);
    aws.ec2().add("g5.xlarge", Map.of(Tags.RUN, "hers", Tags.LEASE, lease, Tags.EXPIRES, expires));
    return lease;
  }

  /** Eight trials at once, or the deadline is missed. */
  private static TinyJob job() {
    return AwsRunIT.job()
        .search("{algorithm: random, trials: 8, ", "max: 2")
        .trial("3", "gpus: 1")
        .with("deadline", "200s");
  }
}
