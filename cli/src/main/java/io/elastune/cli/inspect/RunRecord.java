package io.elastune.cli.inspect;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.TrialGroups;
import io.elastune.core.time.Seconds;
import io.elastune.executor.checkpoint.CheckpointDigest;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.BestReport;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.executor.journal.ProgressRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import io.elastune.provisioner.CloudProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The contents of a run's journal, read in one step.
 *
 * @param folder the folder of the run
 * @param deadlineS seconds from the start of the run
 * @param copyGbPerS the GB per second that the slowest GPU of a lease read and wrote while it
 *     copied its memory, by lease, as far as it was measured
 * @param running the attempts that have not ended
 * @param bestUnits the unit with the best metric of each trial, if the best value counts
 * @param meteredUsd cost of the leases in USD as metered by a simulated environment
 */
public record RunRecord(
    RunFolder folder,
    RunMeta meta,
    OptionalDouble deadlineS,
    ProgressRow progress,
    List<GroupRow> groups,
    List<LeaseRow> leases,
    Map<String, Double> copyGbPerS,
    List<TrialRow> trials,
    List<AttemptRow> running,
    List<FaultRow> faults,
    List<DecisionRow> decisions,
    Map<Integer, Integer> bestUnits,
    OptionalDouble meteredUsd) {
  public RunRecord {
    bestUnits = Map.copyOf(bestUnits);
    groups = List.copyOf(groups);
    leases = List.copyOf(leases);
    copyGbPerS = Map.copyOf(copyGbPerS);
    trials = List.copyOf(trials);
    running = List.copyOf(running);
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
      RunMeta meta = RunMeta.of(reader.meta());
      return new RunRecord(
          folder,
          meta,
          reader.deadlineS(),
          reader.progress(),
          reader.groups(),
          reader.leases(),
          copySpeeds(reader.preparations()),
          meta.kind() == RunMeta.Kind.PROFILE ? reader.trials() : trials(reader),
          reader.runningAttempts(),
          reader.faults(),
          reader.decisions(),
          meta.metric().takesBest() ? bestUnits(reader, meta.metric()) : Map.of(),
          reader.meteredUsd());
    }
  }

  private static Map<Integer, Integer> bestUnits(RunReader reader, Metric metric) {
    Map<Integer, BestReport> best = new HashMap<>();
    for (ReportRow report : reader.reports()) {
      BestReport.improving(
              Optional.ofNullable(best.get(report.trial())),
              metric,
              report.unit(),
              report.metrics())
          .ifPresent(better -> best.put(report.trial(), better));
    }
    Map<Integer, Integer> units = new HashMap<>();
    best.forEach((trial, report) -> units.put(trial, report.unit()));
    return units;
  }

  private static Map<String, Double> copySpeeds(Map<String, PreparationRow> preparations) {
    Map<String, Double> speeds = new HashMap<>();
    preparations.forEach(
        (lease, row) -> row.copyGbPerS().ifPresent(gbPerS -> speeds.put(lease, gbPerS)));
    return speeds;
  }

  /** Trials that are trained to the end are completed, also before their group has ended. */
  private static List<TrialRow> trials(RunReader reader) {
    int last = reader.groups().stream().mapToInt(GroupRow::toUnit).max().orElse(0);
    return reader.trials().stream()
        .map(trial -> last > 0 ? trial.completedAt(last) : trial)
        .toList();
  }

  /** Returns all decisions: first the one for the plan, then those in the journal. */
  public List<DecisionRow> allDecisions() {
    return PlanDecision.prependTo(decisions, meta.plan(), progress.began());
  }

  /** Returns the run's id. */
  public String run() {
    return folder.run();
  }

  /** Returns whether the run has ended, successfully or not. */
  public boolean finished() {
    return progress.phase() == RunState.Phase.FINISHED;
  }

  /** Returns whether the run was simulated in virtual time. */
  public boolean simulated() {
    return groups.stream().allMatch(groupRow -> groupRow.offer().startsWith(Offer.SIMULATED + "/"));
  }

  /**
   * Returns the number of trials in the plan, including those that are not yet proposed. A
   * profiling run has no such plan: it chooses the trials of a group when that group starts. A
   * search without a number of trials has none, either.
   */
  public int plannedTrials() {
    if (meta.kind() == RunMeta.Kind.PROFILE) {
      return trials.size();
    }
    int planned =
        groups.stream()
            .filter(groupRow -> groupRow.fromUnit() == 0)
            .mapToInt(GroupRow::trials)
            .sum();
    return planned < RungRule.UNLIMITED ? planned : trials.size();
  }

  /** Returns the number of proposed trials with this status. */
  long count(TrialState.Status status) {
    return trials.stream().filter(trialRow -> trialRow.status() == status).count();
  }

  /** Returns the numbers of the trials that failed. */
  Set<Integer> failed() {
    return trials.stream()
        .filter(trialRow -> trialRow.status() == TrialState.Status.FAILED)
        .map(TrialRow::trial)
        .collect(Collectors.toSet());
  }

  /** Returns the number of decisions of a kind. */
  int count(DecisionKind kind) {
    return (int) decisions.stream().filter(decision -> decision.kind() == kind).count();
  }

  /** Returns the trials in training that started from the checkpoint of another one. */
  List<TrialRow> continuing() {
    return trials.stream()
        .filter(row -> row.parent().isPresent() && row.parentUnit().isPresent())
        .filter(
            row ->
                row.status() == TrialState.Status.RUNNING
                    || row.status() == TrialState.Status.WAITING)
        .toList();
  }

  /** Returns the number of trials that reported that they need no more training. */
  long endedEarly() {
    return trials.stream().filter(trialRow -> trialRow.endedEarly().isPresent()).count();
  }

  /** Returns the end of the last group, once all groups have ended. */
  public Optional<Instant> completed() {
    boolean all = groups.stream().allMatch(groupRow -> groupRow.ended().isPresent());
    return all
        ? groups.stream().flatMap(groupRow -> groupRow.ended().stream()).max(Instant::compareTo)
        : Optional.empty();
  }

  /** Returns the seconds from confirmation to the end of the last group; empty before that. */
  public OptionalDouble completionS() {
    Optional<Instant> completed = completed();
    return progress.began().isPresent() && completed.isPresent()
        ? OptionalDouble.of(Seconds.between(progress.began().get(), completed.get()))
        : OptionalDouble.empty();
  }

  /** Returns the cost so far in USD: leases, controller machine, checkpoints and profiling. */
  public double costUsd() {
    return progress.spentUsd() + meta.profilingUsd();
  }

  /** Returns the cost of all leases so far, in USD. */
  public double leasesUsd() {
    return leases.stream().mapToDouble(LeaseRow::usd).sum();
  }

  /** Returns the number of leases whose termination is not confirmed. */
  public int openLeases() {
    return (int)
        leases.stream().filter(leaseRow -> leaseRow.phase() != LeaseState.Phase.GONE).count();
  }

  /** Returns the decision that reported the deadline at risk, if it is at risk now. */
  public Optional<DecisionRow> risk() {
    Optional<DecisionRow> risk = Optional.empty();
    for (DecisionRow decisionRow : decisions) {
      if (decisionRow.kind() == DecisionKind.AT_RISK) {
        risk = Optional.of(decisionRow);
      } else if (decisionRow.kind() == DecisionKind.ON_TIME) {
        risk = Optional.empty();
      }
    }
    return risk;
  }

  /** Returns the decision by which a run in progress waits for capacity, if it does so now. */
  public Optional<DecisionRow> waiting() {
    Optional<DecisionRow> waiting = Optional.empty();
    for (DecisionRow decisionRow : decisions) {
      switch (decisionRow.kind()) {
        case WAITING -> waiting = Optional.of(decisionRow);
        case AVAILABLE, STOP -> waiting = Optional.empty();
        default -> {}
      }
    }
    return waiting.filter(row -> !finished());
  }

  /** Returns the decision since which trials of a run in progress are without contact, if any. */
  public Optional<DecisionRow> unreachable() {
    Optional<DecisionRow> unreachable = Optional.empty();
    for (DecisionRow decisionRow : decisions) {
      switch (decisionRow.kind()) {
        case UNREACHABLE -> unreachable = Optional.of(decisionRow);
        case REACHABLE, RESUME -> unreachable = Optional.empty();
        default -> {}
      }
    }
    return unreachable.filter(row -> !finished());
  }

  /** Returns the first decision that reported the deadline at risk, if there is one. */
  public Optional<DecisionRow> firstRisk() {
    return decisions.stream().filter(some -> some.kind() == DecisionKind.AT_RISK).findFirst();
  }

  /** Returns the seconds from the start of the run to a decision. */
  public double atS(DecisionRow decisionRow) {
    return Seconds.between(progress.began().orElse(decisionRow.at()), decisionRow.at());
  }

  /** Returns the best trial: the one with the best metric among those trained the longest. */
  public Optional<TrialRow> best() {
    return ranked().findFirst();
  }

  /**
   * Returns all trials with a metric, ordered by units trained and then by metric, the best first;
   * before them the one that has reached the target of the search.
   */
  public Stream<TrialRow> ranked() {
    return trials.stream()
        .filter(trialRow -> Double.isFinite(trialRow.metric().orElse(Double.NaN)))
        .sorted(
            Comparator.comparing((TrialRow row) -> !reachedTarget(row))
                .thenComparing(TrialRow.byRank(meta.metric().goal())));
  }

  private boolean reachedTarget(TrialRow row) {
    String trial = Integer.toString(row.trial());
    return decisions.stream()
        .map(DecisionRow::reason)
        .anyMatch(
            reason ->
                reason.code() == ReasonCode.TARGET_REACHED
                    && reason.details().get(0).equals(trial));
  }

  /** Returns the unit with the best metric of a trial, if the best value counts. */
  public Optional<Integer> bestUnit(TrialRow trialRow) {
    return Optional.ofNullable(bestUnits.get(trialRow.trial()));
  }

  /**
   * Returns where the checkpoint of {@code trialRow} was stored, a folder or a URL: that of the
   * best unit if the best value counts, otherwise the newest one.
   */
  public Optional<String> checkpoint(TrialRow trialRow) {
    return trialRow.checkpoint() == 0
        ? Optional.empty()
        : Optional.of(
            checkpoints()
                .checkpoint(trialRow.trial(), bestUnit(trialRow).orElseGet(trialRow::checkpoint)));
  }

  /** Returns the same, if the checkpoint still exists. A bucket is not queried. */
  public Optional<String> existingCheckpoint(TrialRow trialRow) {
    return simulated()
        ? Optional.empty()
        : checkpoint(trialRow)
            .filter(place -> checkpoints().isBucket() || Files.exists(Path.of(place)));
  }

  /**
   * Returns whether something else than the trial has replaced its checkpoint: the journal has
   * another digest. Reads the journal, and asks a bucket.
   */
  public boolean hasReplacedCheckpoint(TrialRow trialRow) {
    Optional<String> place = existingCheckpoint(trialRow);
    if (place.isEmpty() || !folder.exists()) {
      return false;
    }
    int unit = bestUnit(trialRow).orElseGet(trialRow::checkpoint);
    try (RunReader reader = RunReader.open(folder)) {
      return reader
          .digest(trialRow.trial(), unit)
          .filter(digest -> isReplaced(place.get(), digest))
          .isPresent();
    }
  }

  private boolean isReplaced(String place, String digest) {
    return checkpoints().isBucket()
        ? BucketCheckpoint.isReplaced(new CheckpointLocation(place), digest)
        : CheckpointDigest.isReplaced(Path.of(place), digest);
  }

  /** Returns the checkpoint of a trial if it exists as the trial has saved it. */
  public Optional<String> intactCheckpoint(TrialRow trialRow) {
    return existingCheckpoint(trialRow).filter(place -> !hasReplacedCheckpoint(trialRow));
  }

  /**
   * Returns what an ended run still uses besides instances, as its provider names it at present.
   */
  public List<String> left() {
    Path home = folder.path().resolve("../..").normalize();
    return simulated()
        ? List.of()
        : leases.stream()
            .map(lease -> lease.offer().replaceFirst("/.*", ""))
            .distinct()
            .flatMap(name -> CloudProviders.named(name).stream())
            .flatMap(provider -> provider.left(home, run()).stream())
            .toList();
  }

  /** Returns the location of the checkpoints of all trials. */
  public CheckpointLocation checkpoints() {
    return new CheckpointLocation(meta.checkpointsOf(folder));
  }

  /** Returns their folder if it belongs to this run but is outside the run's own folder. */
  Optional<Path> checkpointsElsewhere() {
    return checkpoints()
        .folder()
        .filter(path -> path.endsWith(run()) && !path.startsWith(folder.path()));
  }

  /** Returns the widths of the trials that run, if a policy divides the instances among them. */
  List<TrialWidth> widths() {
    return !finished() && isDivided() ? TrialWidth.of(running) : List.of();
  }

  /** Returns whether a policy divides the instances among the trials. */
  boolean isDivided() {
    return meta.kind() == RunMeta.Kind.TUNE
        && job().filter(job -> job.policy().choosesSizes()).isPresent();
  }

  /** Returns the file with warnings of the run's components, if there were any. */
  Optional<String> warningsLog() {
    return Optional.of(folder.warningsLog()).filter(Files::exists).map(Path::toString);
  }

  /** Returns how long instances keep running without their controller. */
  public Optional<Duration> deadMan() {
    return job().map(Job::deadMan);
  }

  /** Returns the search; empty for a profiling run, and if this version cannot read the job. */
  Optional<Search> search() {
    return meta.kind() == RunMeta.Kind.PROFILE ? Optional.empty() : job().map(Job::search);
  }

  /** Returns the rungs of an asynchronous search; empty for another one. */
  Optional<RungRule> rungs() {
    return search().flatMap(search -> TrialGroups.of(search).rungs());
  }

  /** Returns the job; empty if this version cannot read it. */
  public Optional<Job> job() {
    return JobFile.parseStored(meta.jobFile(), meta.job(), Overrides.NONE)
        .match(Optional::of, problems -> Optional.empty());
  }
}
