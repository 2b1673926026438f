package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Started;
import io.elastune.cli.testing.TinyJob;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
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
 * rented by then is found from an empty home, by Google's word alone, and ended. More rounds:
 * {@code -Delastune.gcp.kills=30}.
 */
class GcpKillIT {
  private static final long SEED = Long.getLong("elastune.seed", 11);
  private static final int ROUNDS = Integer.getInteger("elastune.gcp.kills", 1);

  /** After the first call. By then all eight have been made, and the first of them are ready. */
  private static final int LATEST_MS = 4000;

  private static final InstantSource TIME = InstantSource.system();

  @TempDir private Path folder;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws Exception {
    gcp = new FakeGcp(TIME);
    gcp.compute().times(lease -> FakeTimes.millis(500, 1000, 300));
    gcp.compute().visibleAfter(Duration.ofMillis(300));
  }

  @AfterEach
  void close() {
    gcp.close();
  }

  @Test
  void nothingIsLeftWheneverItIsKilled() throws Exception {
    Random chance = new Random(SEED);
    GcpCommand elastune = GcpCommand.in(gcp, folder);
    GcpCommand elsewhere = new GcpCommand(gcp, folder, Files.createDirectory(folder.resolve("e")));
    String job = job().write(folder.resolve("job")).toString();
    int most = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      int afterMs = chance.nextInt(LATEST_MS);
      String as = "round " + round + ", killed after " + afterMs + " ms, seed " + SEED;
      long before = gcp.calls("compute.instances.insert");
      Started run = elastune.start("run", job, "-y").says(" starts; ");
      while (gcp.calls("compute.instances.insert") == before) {
        assertThat(run.process().waitFor(20, TimeUnit.MILLISECONDS)).as(as).isFalse();
      }
      assertThat(run.process().waitFor(afterMs, TimeUnit.MILLISECONDS)).as(as).isFalse();
      run.process().destroyForcibly();
      run.process().waitFor();
      int left = gcp.compute().there().size();
      most = Math.max(most, left);

      String hers = colleaguesInstance(round);
      elsewhere.run("orphans", "--delete", "-y").with(0);
      assertThat(gcp.compute().there()).as(as).contains(hers).hasSize(left + 1);
      elsewhere.run("orphans", "--delete", "--all", "-y").with(0);
      assertThat(gcp.compute().there()).as(as).isEmpty();
      System.out.println("GcpKillIT: " + as + ": " + left + " were up");
    }
    assertThat(gcp.compute().ever()).doesNotHaveDuplicates();
    assertThat(ROUNDS < 10 || most == 8).as("all eight were up once, of %d", most).isTrue();
  }

  /** It is looked after: its controller has just put its time off. */
  private String colleaguesInstance(int round) {
    String lease = "hers-" + round;
    String expires = Long.toString(TIME.instant().getEpochSecond() + 900);
    gcp.compute()
        .add(
            "us-central1-b",
            "elastune-" + lease,
            "g2-standard-4",
            Map.of(Tags.RUN, "hers", Tags.LEASE, lease, Tags.EXPIRES, expires));
    return lease;
  }

  /** Eight trials at once, or the deadline is missed. */
  private static TinyJob job() {
    return GcpRunIT.job()
        .search("{algorithm: random, trials: 8, ", "max: 2")
        .trial("3", "gpus: 1")
        .with("deadline", "200s");
  }
}
