package io.elastune.provisioner.aws.killed;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.testing.AwsWorld;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} at any moment of a launch: whatever has been rented by then is found from an
 * empty home, by the cloud's word alone, and ended; a colleague's instance is not. More rounds:
 * {@code -Delastune.aws.kills=30}.
 */
class KilledLauncherIT {
  private static final long SEED = Long.getLong("elastune.seed", 11);
  private static final int ROUNDS = Integer.getInteger("elastune.aws.kills", 4);

  /** By then the eight have been launched, at two a second. */
  private static final int LATEST_MS = 3000;

  @RegisterExtension private final AwsWorld world = new AwsWorld();
  @TempDir private Path emptyHome;

  @Test
  void nothingIsLeftWheneverItIsKilled() throws Exception {
    Random chance = new Random(SEED);
    world.fake().ec2().times(lease -> FakeTimes.millis(50, 50, 50));
    world.fake().ec2().visibleAfter(Duration.ofMillis(200));
    long later = AwsWorld.TIME.instant().getEpochSecond() + 900;
    world
        .fake()
        .ec2()
        .add(
            "g5.xlarge",
            Map.of(Tags.RUN, "hers", Tags.LEASE, "hers-1", Tags.EXPIRES, Long.toString(later)));
    for (int round = 0; round < ROUNDS; round++) {
      int afterMs = chance.nextInt(LATEST_MS);
      launchAndKill(afterMs);
      endAll(false);
      assertThat(world.fake().ec2().up())
          .as("killed after %d ms, seed %d", afterMs, SEED)
          .contains("hers-1");
      endAll(true, "hers");
      assertThat(world.fake().ec2().up())
          .as("killed after %d ms, seed %d", afterMs, SEED)
          .containsExactly("hers-1");
    }
  }

  private void launchAndKill(int afterMs) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Daws.endpointUrl=" + world.fake().url(),
                "-Daws.accessKeyId=test",
                "-Daws.secretAccessKey=test",
                DoomedLauncher.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("asked");
      AwsWorld.pause(Duration.ofMillis(afterMs));
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  /** As {@code orphans --delete} does, with {@code --all} or without it. */
  private void endAll(boolean all, String... but) {
    CloudContext context = CloudContext.of(emptyHome, AwsWorld.TIME);
    try (CloudAccount account = new AwsCloudProvider().account(context).orElseThrow()) {
      int empty = 0;
      while (empty < 3) {
        List<TaggedInstance> left =
            account.instances(List.of()).stream()
                .filter(i -> all || i.isExpired(AwsWorld.TIME.instant()))
                .filter(instance -> !List.of(but).contains(instance.run()))
                .toList();
        empty = left.isEmpty() ? empty + 1 : 0;
        if (!left.isEmpty()) {
          account.end(left);
        }
        AwsWorld.pause(Duration.ofMillis(150));
      }
    }
  }
}
