package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executes generated jobs: searches of all kinds with billing terms, prices and limits that no
 * example has, and with faults. Every guarantee holds, and a budget that covers the rest of a run
 * does not end it. A failure names the seed of the job and of its run; {@code
 * -Delastune.rehearsal.generated=1 -Delastune.rehearsal.seed=SEED} repeats a job.
 */
class GeneratedRehearsalTest {
  private static final long FIRST = Long.getLong("elastune.rehearsal.seed", 1);
  private static final int JOBS = Tier.runs("elastune.rehearsal.generated", 16, 100);
  private static final int RUNS = 3;

  /** So many jobs end in both ways. */
  private static final int SAMPLE = 16;

  /** Jobs and runs that once violated a guarantee. */
  @ParameterizedTest
  @CsvSource({
    "1082, 2",
    "1188, 0",
    "1347, 3",
    "1467, 2",
    "1522, 1",
    "1805, 1",
    "20246, 1",
    "40271, 2",
    "50115, 1"
  })
  void keepsTheGuaranteesThatItViolatedBefore(long seed, long run) {
    assertThat(new Rehearsal(GeneratedJobs.of(seed)).run(run).violations()).isEmpty();
  }

  /** The same of the jobs with any policy, market and clock. */
  @ParameterizedTest
  @CsvSource({"1033, 0", "1035, 0", "1194, 1", "1234, 1", "1330, 2", "1343, 2", "2120, 0"})
  void variedJobsKeepTheGuaranteesThatTheyViolatedBefore(long seed, long run) {
    assertThat(new Rehearsal(GeneratedJobs.varied(seed)).run(run).violations()).isEmpty();
  }

  @Test
  void keepsAllGuarantees() {
    assertThat(exits(GeneratedJobs::of)).contains(0, 11);
  }

  @Test
  void keepsAllGuaranteesWithAnyPolicyMarketAndClock() {
    assertThat(exits(GeneratedJobs::varied)).contains(0, 11);
  }

  private static Set<Integer> exits(LongFunction<RehearsedJob> jobs) {
    Set<Integer> exits = new HashSet<>();
    for (long seed = FIRST; seed < FIRST + JOBS; seed++) {
      Rehearsal rehearsal = new Rehearsal(jobs.apply(seed));
      for (int run = 0; run < RUNS; run++) {
        RehearsedRun rehearsed = rehearsal.run(run);
        assertThat(rehearsed.violations()).as("job %d, run %d", seed, run).isEmpty();
        exits.add(rehearsed.exit());
      }
    }
    if (JOBS < SAMPLE) {
      exits.addAll(List.of(0, 11)); // too few jobs to end in both ways
    }
    return exits;
  }
}
