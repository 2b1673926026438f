package io.elastune.profiler;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.core.time.Seconds;
import io.elastune.executor.code.CodeVersion;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.decision.model.FailureRule;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.MeasurementRule;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Profiles a training program. Profiling is a run of its own, with the same executor, journal and
 * money guarantees.
 */
public final class Profiler {
  /** Assumed seconds that a stopped trial takes for its checkpoint, which is not measured yet. */
  private static final double GRACE_S = 5;

  /** A trial without a report for this fraction of the maximum time counts as hung. */
  private static final double SILENT_FRACTION = 0.5;

  static final MeasurementRule MEASUREMENT = new MeasurementRule(1, 2, 3, 10, 3);

  private Profiler() {}

  /**
   * Returns the definition of the profiling run of {@code job} on {@code offer}.
   *
   * @param maxInstances the number of instances that may be used at once
   * @param run the run ID
   * @param maxUsd maximum cost in USD
   * @param maxTime maximum duration; the measurements up to then are used
   */
  public static RunDefinition definition(
      Job job,
      Offer offer,
      int maxInstances,
      String run,
      OptionalDouble maxUsd,
      Optional<Duration> maxTime) {
    return definition(
        job, offer, MeasurementDesign.of(job, offer, maxInstances), run, maxUsd, maxTime);
  }

  /** Returns whether a size that the job allows is legal on so many instances of the offer. */
  public static boolean canMeasure(Job job, Offer offer, int maxInstances) {
    return !MeasurementDesign.legalSizes(job, offer, maxInstances).isEmpty();
  }

  /**
   * Returns the definition of a profiling run that measures the smallest GPU count and lets {@link
   * MeasurementChooser} choose all others. Parameters as above.
   */
  public static RunDefinition choosingDefinition(
      Job job,
      Offer offer,
      int maxInstances,
      String run,
      OptionalDouble maxUsd,
      Optional<Duration> maxTime) {
    return definition(
            job, offer, MeasurementDesign.chosen(job, offer, maxInstances), run, maxUsd, maxTime)
        .withMeasurement(MEASUREMENT.choosing());
  }

  private static RunDefinition definition(
      Job job,
      Offer offer,
      MeasurementDesign design,
      String run,
      OptionalDouble maxUsd,
      Optional<Duration> maxTime) {
    Optional<Budget> budget =
        maxUsd.isPresent()
            ? Optional.of(new Budget(maxUsd.getAsDouble(), 1, Budget.OnReach.STOP))
            : Optional.empty();
    OptionalDouble deadline =
        maxTime
            .map(time -> OptionalDouble.of(time.toMillis() / 1e3))
            .orElse(OptionalDouble.empty());
    RunDefinition definition =
        RunDefinitionBuilder.builder()
            .run(run)
            .workload(design.workload())
            .plan(design.plan())
            .offers(Map.of(offer.name(), offer))
            .metric(job.search().metric())
            .maxFailures(0) // another configuration is tried instead
            .budget(budget)
            .budgetLeftUsd(maxUsd)
            .deadlineS(deadline)
            .deadlineMiss(Job.DeadlineMiss.STOP)
            .forecasts(Map.of())
            .hangLimits(hangLimits(job, design, deadline))
            .graceS(GRACE_S)
            .running(job.runningCosts(design.workload()))
            .failures(Optional.of(FailureRule.DEFAULT))
            .build();
    return definition
        .withMeasurement(MEASUREMENT)
        .withWaitForCapacity(job.resources().waitForCapacity());
  }

  /** No profile predicts how long a trial may take, so a part of the time limit applies. */
  private static Map<String, HangLimit> hangLimits(
      Job job, MeasurementDesign design, OptionalDouble deadlineS) {
    OptionalDouble reportS =
        deadlineS.isPresent()
            ? OptionalDouble.of(SILENT_FRACTION * deadlineS.getAsDouble())
            : OptionalDouble.empty();
    OptionalDouble silenceS =
        job.trial().silence().map(it -> OptionalDouble.of(Seconds.of(it))).orElse(reportS);
    HangLimit limit = new HangLimit(Optional.empty(), silenceS, reportS);
    return design.workload().groups().stream()
        .collect(Collectors.toMap(TrialGroup::name, group -> limit));
  }

  /**
   * Returns the profile from a finished profiling run.
   *
   * @param maxInstances how many instances of the offer a plan may use
   * @param machine the machine, if trials ran on that of the controller
   * @throws ProfilingFailedException if the run has too few measurements: no trial reported, all
   *     failed, or none could resume from its checkpoint
   */
  public static MeasuredProfile profile(
      Job job,
      Offer offer,
      int maxInstances,
      Optional<SharedMachine> machine,
      RunFolder folder,
      RunState end) {
    try (RunReader run = RunReader.open(folder)) {
      List<AttemptTimes> attempts = RunMeasurements.attempts(run);
      if (attempts.isEmpty() || haveAllFailed(end)) {
        throw noMeasurement(end.ending());
      }
      if (attempts.stream().allMatch(AttemptTimes::clockSetBack)) {
        throw ProfilingFailedException.ended(
            end.ending().outcome(), "the clock was set back during every attempt; profile again");
      }
      refuseUnknownMetric(job, run);
      refuseDiverged(job, end);
      ProfileFit fit = new ProfileFit(attempts);
      MeasuredProfile measured =
          fit.profile(
              job.name(),
              offer.gpu(),
              job.search().resource().unit(),
              end.now(),
              MeasurementOrigin.RUN + folder.run(),
              RunMeta.of(run.meta()).code().stream().map(CodeVersion::hash).findFirst(),
              RunMeasurements.leases(run),
              !offer.provider().equals("local"));
      return machine
          .map(shared -> measured.onSharedMachine(shared, run.attempts(), offer))
          .map(shared -> shared.withTrials(KnownTrials.of(job.search())))
          .orElse(measured)
          .withCheckpoint(CheckpointFit.of(run.checkpointTimes().values(), fit.sizes()))
          .withMemoryGb(RunMeasurements.workerGb(run))
          .withConfigurations(
              fit.configurations(RunMeasurements.configurations(run), job.search().space()))
          .withModeled(MeasurementDesign.sizes(job, offer, maxInstances));
    }
  }

  /**
   * Returns the profile from what a profiling run has measured so far; empty if no trial has
   * reported.
   */
  public static Optional<Profile> profileSoFar(
      Job job, Offer offer, RunFolder folder, Instant now) {
    try (RunReader run = RunReader.open(folder)) {
      List<AttemptTimes> attempts =
          RunMeasurements.attempts(run).stream().filter(one -> !one.clockSetBack()).toList();
      return attempts.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ProfileFit(attempts)
                  .profile(
                      job.name(),
                      offer.gpu(),
                      job.search().resource().unit(),
                      now,
                      MeasurementOrigin.RUN + folder.run(),
                      Optional.empty(),
                      RunMeasurements.leases(run),
                      !offer.provider().equals("local"))
                  .profile()
                  .withMemoryGb(RunMeasurements.workerGb(run)));
    }
  }

  /**
   * Returns what a profiling run has measured so far of the smallest count, as it would be saved
   * now; empty if no trial has reported.
   */
  public static Optional<SearchAccuracy.Measured> measuredSoFar(
      Job job, Offer offer, SharedMachine machine, RunFolder folder, Instant now) {
    Optional<Profile> raw = profileSoFar(job, offer, folder, now);
    if (raw.isEmpty()) {
      return Optional.empty();
    }
    try (RunReader run = RunReader.open(folder)) {
      List<AttemptTimes> attempts = RunMeasurements.attempts(run);
      int gpus = raw.get().secondsByGpus().firstKey();
      int configurations =
          (int)
              attempts.stream()
                  .filter(one -> one.size().equals(TrialSize.of(gpus)))
                  .map(AttemptTimes::trial)
                  .distinct()
                  .count();
      Profile profile =
          new MeasuredProfile(raw.get(), List.of())
              .onSharedMachine(machine, run.attempts(), offer)
              .withConfigurations(
                  new ProfileFit(attempts)
                      .configurations(RunMeasurements.configurations(run), job.search().space()))
              .profile();
      List<Map<String, Object>> trials = KnownTrials.of(job.search());
      return Optional.of(
          new SearchAccuracy.Measured(
              profile.forTrials(trials), configurations, !trials.isEmpty()));
    }
  }

  /** Rejects a job whose metric no trial reports, because its search could not compare trials. */
  private static void refuseUnknownMetric(Job job, RunReader run) {
    SortedSet<String> reported =
        run.reports().stream()
            .flatMap(reportRow -> reportRow.metrics().keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    String wanted = job.search().metric().name();
    if (!reported.contains(wanted)) {
      throw ProfilingFailedException.wrongJob(
          "search.metric.name is "
              + wanted
              + ", but the trials report "
              + (reported.isEmpty() ? "no metric at all" : "only " + String.join(", ", reported)));
    }
  }

  /**
   * Rejects a job of which every measured trial diverged, as one whose trials all failed: no search
   * can compare them. Trials count once they have trained as long as those that it compares first,
   * and fewer than three say little about the others.
   */
  private static void refuseDiverged(Job job, RunState end) {
    String metric = job.search().metric().name();
    int compared = firstComparison(TrialGroups.of(job.search()));
    List<TrialState> measured =
        end.trials().values().stream()
            .filter(trial -> trial.status() != TrialState.Status.FAILED && trial.unit() > 0)
            .toList();
    boolean diverged =
        measured.stream()
            .allMatch(
                trial ->
                    !trial.hasValue()
                        && trial.reported().contains(metric)
                        && (trial.unit() >= compared || trial.endedEarly()));
    if (diverged && end.trials().size() >= FailureRule.DEFAULT.equalFailures()) {
      throw ProfilingFailedException.stopped(
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(
              ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
              Integer.toString(measured.size()),
              FailureCause.Kind.DIVERGED.label(),
              metric + " is no finite number"));
    }
  }

  /** Returns the units after which a search first compares trials. */
  private static int firstComparison(Workload workload) {
    return workload
        .rungs()
        .map(rule -> rule.target(0))
        .orElseGet(
            () -> workload.groups().stream().mapToInt(TrialGroup::toUnit).min().orElseThrow());
  }

  private static ProfilingFailedException noMeasurement(ShutdownState ending) {
    return ending
        .reason()
        .map(reason -> ProfilingFailedException.stopped(ending.outcome(), reason))
        .orElseGet(() -> ProfilingFailedException.ended(ending.outcome(), "no trial succeeded"));
  }

  /** Whether no trial got to its end: what failed trials measured predicts no successful one. */
  private static boolean haveAllFailed(RunState end) {
    return end.ending().isFor(ReasonCode.STOPPED_AFTER_EQUAL_FAILURES)
        || end.trials().values().stream()
            .allMatch(trial -> trial.status() == TrialState.Status.FAILED);
  }
}
