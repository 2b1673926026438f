package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Sends {@code kill -9} to the controllers of searches of each kind, and resumes them. They end
 * with every trial accounted for and nothing left, and the report is the price times the seconds of
 * every lease. A unit of successive halving is reported once. {@code -Delastune.kills.search=100}
 * sets the number of kills of each search.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class KilledSearchesIT {
  private static final int KILLS = Tier.runs("elastune.kills.search", 3, 100);
  private static final int MOST_OF_A_RUN = 10;
  private static final String BEGINNING = "start group ";
  private static final double USD_PER_HOUR = 0.36;

  /** The trials of each search; population based training replaces some by others. */
  private static final int TRIALS = 8;

  /** Saves a checkpoint before each report, so that a trial continues after the reported unit. */
  private static final String SCRIPT =
      """
      . ./lib.sh
      x=$(field x) unit=$from
      while [ "$unit" -lt "$to" ]; do
        sleep 0.3
        unit=$((unit + 1))
        save "$unit"
        report "$unit" "$(awk "BEGIN { print (1 - ($x - 0.3) * ($x - 0.3)) * $unit / ($unit + 1) }")"
      done
      """;

  private final long seed = Long.getLong("elastune.seed", System.nanoTime());

  @TempDir Path folder;

  /** The searches. */
  enum Search {
    SHA("sha", "eta: 2, "),
    ASHA("asha", "eta: 2, "),
    PBT("pbt", "");

    private final String algorithm;

    Search(String name, String options) {
      algorithm = "{algorithm: " + name + ", trials: 8, " + options;
    }

    Path write(String name, Path folder) throws Exception {
      return new TinyJob(name)
          .with("deadline", "60m")
          .search(algorithm, "min: 1, max: 4")
          .instanceTypes("solo")
          .price(USD_PER_HOUR)
          .script("unit.sh", SCRIPT, ", gpus: 1, checkpoint: {keep: 5}")
          .write(folder.resolve(name));
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsAsIfNothingHadHappened(Search search) throws Exception {
    System.out.println("KilledSearchesIT: -Delastune.seed=" + seed);
    LauncherProcess elastune = LauncherProcess.in(folder);
    Random random = new Random(seed + search.name().length());
    RunningCommand first =
        elastune
            .start("run", search.write("whole", folder).toString(), "-y", "--json")
            .awaitOutput(BEGINNING);
    long begin = System.nanoTime();
    CommandResult whole = first.awaitExit().assertExit(0);
    long usualMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    int kills = 0;
    int runs = 0;
    while (kills < KILLS) {
      kills += round(elastune, search, "killed-" + runs++, random, usualMs, whole);
    }
    System.out.printf("KilledSearchesIT: %s: %d kills of %d runs%n", search, kills, runs);
  }

  /** Kills one run several times, lets it end, and checks it. Returns how often it was killed. */
  private int round(
      LauncherProcess elastune,
      Search search,
      String name,
      Random random,
      long usualMs,
      CommandResult whole)
      throws Exception {
    String as = search + " " + name + ", seed " + seed;
    String job = search.write(name, folder).toString();
    RunningCommand controller = elastune.start("run", job, "-y", "--json").awaitOutput(BEGINNING);
    int kills = 0;
    while (kills < MOST_OF_A_RUN && kill(controller, random.nextLong(usualMs))) {
      kills++;
      controller = elastune.start("resume", name, "--json");
    }
    CommandResult end = controller.awaitExit();
    assertThat(end.exit()).as("%s after %d kills: %s", as, kills, end.err()).isZero();
    CommandResult report = elastune.inProcess("report", name, "--json").assertExit(0);
    check(elastune, end.run(), report.json(), as + " after " + kills + " kills");
    if (search == Search.SHA) {
      checkUnits(RunFolder.of(elastune.home(), end.run()), as);
      assertThat(report.json().path("best").path("metric"))
          .as(as)
          .isEqualTo(whole.lastLine().path("best").path("metric"));
    }
    return kills;
  }

  /** Kills a controller after a time; false if it has ended before. */
  private static boolean kill(RunningCommand controller, long afterMs) throws Exception {
    if (controller.process().waitFor(afterMs, TimeUnit.MILLISECONDS)) {
      return false;
    }
    var unused = controller.process().destroyForcibly();
    controller.process().waitFor();
    return true;
  }

  private static void check(LauncherProcess elastune, String run, JsonNode report, String as)
      throws Exception {
    Leftovers.assertNone(elastune.home(), run);
    assertThat(report.path("instances_left").asInt(-1)).as(as).isZero();
    int accounted =
        Stream.of("completed", "stopped", "failed")
            .mapToInt(result -> report.path("trials").path(result).asInt())
            .sum();
    assertThat(accounted).as(as).isGreaterThanOrEqualTo(TRIALS);
    assertThat(report.path("trial_results").size()).as(as).isEqualTo(accounted);
    double usd = 0;
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run))) {
      List<LeaseRow> leases = journal.leases();
      assertThat(leases).as(as).allMatch(lease -> lease.phase() == LeaseState.Phase.GONE);
      for (LeaseRow lease : leases) {
        double own = usd(lease);
        assertThat(lease.usd()).as("%s, %s", as, lease).isCloseTo(own, within(1e-12));
        usd += own;
      }
    }
    assertThat(report.path("cost_usd").asDouble(-1)).as(as).isCloseTo(usd, within(1e-9));
  }

  /** The price of each second that has begun. */
  private static double usd(LeaseRow lease) {
    if (lease.running().isEmpty()) {
      return 0;
    }
    Duration held = Duration.between(lease.running().get(), lease.terminated().orElseThrow());
    return Math.max(0, Math.ceil(held.toMillis() / 1000.0)) * USD_PER_HOUR / 3600;
  }

  private static void checkUnits(RunFolder folder, String as) {
    try (RunReader journal = RunReader.open(folder)) {
      Set<String> seen = new HashSet<>();
      for (ReportRow report : journal.reports()) {
        String unit = "unit " + report.unit() + " of trial " + report.trial();
        assertThat(seen.add(unit)).as("%s: %s was reported once", as, unit).isTrue();
      }
    }
  }
}
