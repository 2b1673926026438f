package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.provisioner.Tags;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Kills a command with {@code kill -9} at random times while it launches eight instances. Then
 * {@code orphans} must find and terminate all rented instances from an empty home.
 *
 * @param cloud the cloud
 * @param run the run
 * @param rounds the number of kills
 * @param seed the seed of the kill times
 */
public record KilledRunsCheck(CloudProbe cloud, CloudRun run, int rounds, long seed) {
  /**
   * Latest kill after the first call. By then, all eight instances exist and the first are ready.
   */
  private static final int LATEST_MS = 4000;

  private static final int ENOUGH = 10;

  /** What the test reads from a cloud. */
  public interface CloudProbe {
    /** Returns the number of launch calls so far. */
    long launches();

    /** Returns the leases of all existing instances. */
    Collection<String> existing();

    /** Returns the lease of every instance ever launched. */
    Collection<String> everLaunched();

    /** Adds an instance of another owner with these tags. */
    void add(Map<String, String> tags);
  }

  /** Runs the test. */
  public void check(CloudCommand elastune) throws Exception {
    Random chance = new Random(seed);
    CloudCommand elsewhere = elastune.withEmptyHome();
    String job = job().write(elastune.folder().resolve("job")).toString();
    int most = 0;
    for (int round = 1; round <= rounds; round++) {
      int afterMs = chance.nextInt(LATEST_MS);
      String as = "round " + round + ", killed after " + afterMs + " ms, seed " + seed;
      kill(elastune, job, afterMs, as);
      int left = cloud.existing().size();
      most = Math.max(most, left);
      String other = addUnexpiredInstance(round);
      elsewhere.run("orphans", "--delete", "-y").assertExit(0);
      assertThat(cloud.existing()).as(as).contains(other).hasSize(left + 1);
      elsewhere.run("orphans", "--delete", "--all", "-y").assertExit(0);
      assertThat(cloud.existing()).as(as).isEmpty();
      System.out.println(run.place() + ": " + as + ": " + left + " instances existed");
    }
    assertThat(cloud.everLaunched()).doesNotHaveDuplicates();
    assertThat(rounds < ENOUGH || most == 8)
        .as("all eight instances existed once; most: %d", most)
        .isTrue();
  }

  /** The journal of the last killed run still names instances, hence {@code --parallel}. */
  private void kill(CloudCommand elastune, String job, int afterMs, String as) throws Exception {
    long before = cloud.launches();
    RunningCommand runningCommand =
        elastune.start("run", job, "--parallel", "-y").awaitOutput(" started. ");
    while (cloud.launches() == before) {
      assertThat(runningCommand.process().waitFor(20, TimeUnit.MILLISECONDS)).as(as).isFalse();
    }
    assertThat(runningCommand.process().waitFor(afterMs, TimeUnit.MILLISECONDS)).as(as).isFalse();
    runningCommand.process().destroyForcibly();
    runningCommand.process().waitFor();
  }

  /** Adds an instance of another run, whose controller has just renewed it. */
  private String addUnexpiredInstance(int round) {
    String lease = "hers-" + round;
    String expires = Long.toString(Instant.now().getEpochSecond() + 900);
    cloud.add(Map.of(Tags.RUN, "hers", Tags.LEASE, lease, Tags.EXPIRES, expires));
    return lease;
  }

  /** Returns a job that must run eight trials at once to meet its deadline. */
  private TinyJob job() {
    return run.job()
        .search("{algorithm: random, trials: 8, ", "max: 2")
        .trial("3", "gpus: 1")
        .with("deadline", "200s");
  }
}
