package io.elastune.cli.runs;

import io.elastune.core.files.JobFile;
import io.elastune.core.files.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * All that a run's journal says, read at one go.
 *
 * @param folder where it was read
 * @param meteredUsd what a simulated world's own meter has counted of the leases, in dollars
 */
public record RunRecord(
    RunFolder folder,
    RunMeta meta,
    RunReader.Progress progress,
    List<RunReader.Group> groups,
    List<RunReader.Lease> leases,
    List<RunReader.Trial> trials,
    List<RunReader.Fault> faults,
    List<RunReader.Decision> decisions,
    OptionalDouble meteredUsd) {
  private static final String FINISHED = "FINISHED";
  private static final String AT_RISK = "at_risk";
  private static final String ON_TIME = "on_time";

  public RunRecord {
    groups = List.copyOf(groups);
    leases = List.copyOf(leases);
    trials = List.copyOf(trials);
    faults = List.copyOf(faults);
    decisions = List.copyOf(decisions);
  }

  /**
   * Reads the journal in {@code folder}.
   *
   * @throws io.elastune.executor.journal.JournalException if it cannot be read
   */
  public static RunRecord read(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      return new RunRecord(
          folder,
          RunMeta.of(reader.meta()),
          reader.progress(),
          reader.groups(),
          reader.leases(),
          reader.trials(),
          reader.faults(),
          reader.decisions(),
          reader.meteredUsd());
    }
  }

  /** All decisions, that for the plan before those which the journal has of the run itself. */
  public List<RunReader.Decision> allDecisions() {
    return PlanDecision.before(decisions, meta.plan(), progress.began());
  }

  /** The run's id. */
  public String run() {
    return folder.run();
  }

  /** Whether the run has come to its end, be it good or bad. */
  public boolean finished() {
    return progress.phase().equals(FINISHED);
  }

  /** Whether it was carried out in virtual time only. */
  public boolean simulated() {
    return groups.stream().allMatch(group -> group.offer().startsWith(Offer.SIMULATED + "/"));
  }

  /** How many trials the plan has, those included that have not come up yet. */
  public int plannedTrials() {
    return groups.stream()
        .filter(group -> group.fromUnit() == 0)
        .mapToInt(RunReader.Group::trials)
        .sum();
  }

  /** The end of the last group, once all groups have ended. */
  public Optional<Instant> completed() {
    boolean all = groups.stream().allMatch(group -> group.ended().isPresent());
    return all
        ? groups.stream().flatMap(group -> group.ended().stream()).max(Instant::compareTo)
        : Optional.empty();
  }

  /** Seconds from the confirmation to the end of the last group; empty if it has not come. */
  public OptionalDouble completionS() {
    Optional<Instant> completed = completed();
    return progress.began().isPresent() && completed.isPresent()
        ? OptionalDouble.of(Seconds.between(progress.began().get(), completed.get()))
        : OptionalDouble.empty();
  }

  /** Dollars of all leases, the controller's machine, checkpoints and the profiling so far. */
  public double costUsd() {
    return progress.spentUsd() + meta.profilingUsd();
  }

  /** Dollars of all leases so far. */
  public double leasesUsd() {
    return leases.stream().mapToDouble(RunReader.Lease::usd).sum();
  }

  /** Leases that are not confirmed to be gone. */
  public int openLeases() {
    return (int) leases.stream().filter(lease -> !lease.phase().equals("GONE")).count();
  }

  /** The decision by which the deadline has come to be at risk, if it is at present. */
  public Optional<RunReader.Decision> risk() {
    Optional<RunReader.Decision> risk = Optional.empty();
    for (RunReader.Decision decision : decisions) {
      if (decision.decision().equals(AT_RISK)) {
        risk = Optional.of(decision);
      } else if (decision.decision().equals(ON_TIME)) {
        risk = Optional.empty();
      }
    }
    return risk;
  }

  /** The decision by which it came to be at risk for the first time, if it ever was. */
  public Optional<RunReader.Decision> firstRisk() {
    return decisions.stream().filter(some -> some.decision().equals(AT_RISK)).findFirst();
  }

  /** Seconds from the run's beginning to a decision. */
  public double atS(RunReader.Decision decision) {
    return Seconds.between(progress.began().orElse(decision.at()), decision.at());
  }

  /** The best trial: of those trained the longest the one with the best metric. */
  public Optional<RunReader.Trial> best() {
    return ranked().findFirst();
  }

  /** All trials with a metric, those trained the longest first, of these the best first. */
  public Stream<RunReader.Trial> ranked() {
    Comparator<RunReader.Trial> byUnits = Comparator.comparingInt(RunReader.Trial::unit).reversed();
    return trials.stream()
        .filter(trial -> Double.isFinite(trial.metric().orElse(Double.NaN)))
        .sorted(byUnits.thenComparingDouble(this::loss).thenComparingInt(RunReader.Trial::trial));
  }

  /** As the executor ranks trials: less is better, and both zeros are the same. */
  private double loss(RunReader.Trial trial) {
    double metric = trial.metric().orElse(Double.NaN);
    return meta.metric().goal() == Metric.Goal.MAXIMIZE ? 0.0 - metric : metric + 0.0;
  }

  /** Where the newest checkpoint of {@code trial} is, if it has one. */
  public Optional<Path> checkpoint(RunReader.Trial trial) {
    return trial.checkpoint() == 0
        ? Optional.empty()
        : Optional.of(
            checkpoints()
                .resolve("trial-" + trial.trial())
                .resolve(Integer.toString(trial.checkpoint())));
  }

  /** Where the checkpoints of all trials are. */
  public Path checkpoints() {
    return meta.checkpoints().isEmpty() ? folder.checkpointStore() : Path.of(meta.checkpoints());
  }

  /** The same if it is not in the run's own folder, but in a folder of the run elsewhere. */
  Optional<Path> checkpointsElsewhere() {
    Path path = checkpoints();
    boolean own = path.endsWith(run()) && !path.startsWith(folder.path());
    return own ? Optional.of(path) : Optional.empty();
  }

  /** How long instances live on without their controller. */
  public Optional<Duration> deadMan() {
    return job().map(Job::deadMan);
  }

  /** The job that is carried out; empty if this version cannot read it. */
  Optional<Job> job() {
    return JobFile.parse(meta.jobFile(), meta.job(), Overrides.NONE)
        .match(Optional::of, problems -> Optional.empty());
  }
}
