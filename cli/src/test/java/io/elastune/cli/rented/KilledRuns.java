package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Started;
import io.elastune.cli.testing.TinyJob;
import io.elastune.provisioner.Tags;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * {@code kill -9} of the command at any moment of a launch of eight instances: whatever has been
 * rented by then is found from an empty home, by the cloud's word alone, and ended.
 *
 * @param cloud the cloud that is rented from
 * @param run what is run there
 * @param rounds how often it is killed
 * @param seed of the moments
 */
public record KilledRuns(Rented cloud, RentedRun run, int rounds, long seed) {
  /** After the first call. By then all eight have been made, and the first of them are ready. */
  private static final int LATEST_MS = 4000;

  private static final int ENOUGH = 10;

  /** What is to be known of a cloud. */
  public interface Rented {
    /** Calls that launch, so far. */
    long launches();

    /** The leases whose instances are there. */
    Collection<String> there();

    /** The leases that ever had an instance, once for each. */
    Collection<String> ever();

    /** Somebody else rents an instance with such tags. */
    void add(Map<String, String> tags);
  }

  /** Kills, and looks what is left. */
  public void check(RentingCommand elastune) throws Exception {
    Random chance = new Random(seed);
    RentingCommand elsewhere = elastune.elsewhere();
    String job = job().write(elastune.folder().resolve("job")).toString();
    int most = 0;
    for (int round = 1; round <= rounds; round++) {
      int afterMs = chance.nextInt(LATEST_MS);
      String as = "round " + round + ", killed after " + afterMs + " ms, seed " + seed;
      kill(elastune, job, afterMs, as);
      int left = cloud.there().size();
      most = Math.max(most, left);
      String hers = colleaguesInstance(round);
      elsewhere.run("orphans", "--delete", "-y").with(0);
      assertThat(cloud.there()).as(as).contains(hers).hasSize(left + 1);
      elsewhere.run("orphans", "--delete", "--all", "-y").with(0);
      assertThat(cloud.there()).as(as).isEmpty();
      System.out.println(run.place() + ": " + as + ": " + left + " were up");
    }
    assertThat(cloud.ever()).doesNotHaveDuplicates();
    assertThat(rounds < ENOUGH || most == 8).as("all eight were up once, of %d", most).isTrue();
  }

  private void kill(RentingCommand elastune, String job, int afterMs, String as) throws Exception {
    long before = cloud.launches();
    Started started = elastune.start("run", job, "-y").says(" starts; ");
    while (cloud.launches() == before) {
      assertThat(started.process().waitFor(20, TimeUnit.MILLISECONDS)).as(as).isFalse();
    }
    assertThat(started.process().waitFor(afterMs, TimeUnit.MILLISECONDS)).as(as).isFalse();
    started.process().destroyForcibly();
    started.process().waitFor();
  }

  /** It is looked after: its controller has just put its time off. */
  private String colleaguesInstance(int round) {
    String lease = "hers-" + round;
    String expires = Long.toString(Instant.now().getEpochSecond() + 900);
    cloud.add(Map.of(Tags.RUN, "hers", Tags.LEASE, lease, Tags.EXPIRES, expires));
    return lease;
  }

  /** Eight trials at once, or the deadline is missed. */
  private TinyJob job() {
    return run.job()
        .search("{algorithm: random, trials: 8, ", "max: 2")
        .trial("3", "gpus: 1")
        .with("deadline", "200s");
  }
}
