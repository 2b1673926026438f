package io.elastune.profiler;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.time.Duration;
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

  private Profiler() {}

  /**
   * Returns the definition of the profiling run of {@code job} on {@code offer}.
   *
   * @param run the run ID
   * @param maxUsd maximum cost in USD
   * @param maxTime maximum duration; the measurements up to then are used
   */
  public static RunDefinition definition(
      Job job, Offer offer, String run, OptionalDouble maxUsd, Optional<Duration> maxTime) {
    MeasurementDesign design = MeasurementDesign.of(job, offer);
    Optional<Budget> budget =
        maxUsd.isPresent()
            ? Optional.of(new Budget(maxUsd.getAsDouble(), 1, Budget.OnReach.STOP))
            : Optional.empty();
    OptionalDouble deadline =
        maxTime
            .map(time -> OptionalDouble.of(time.toMillis() / 1e3))
            .orElse(OptionalDouble.empty());
    return new RunDefinition(
        run,
        design.workload(),
        design.plan(),
        Map.of(offer.name(), offer),
        job.search().metric(),
        job.trial().maxFailures(),
        budget,
        maxUsd,
        deadline,
        Job.DeadlineMiss.STOP,
        Map.of(),
        Map.of(),
        GRACE_S,
        job.runningCosts(design.workload()));
  }

  /**
   * Returns the profile from a finished profiling run.
   *
   * @throws ProfilingFailedException if the run has too few measurements: no trial reported twice
   */
  public static Profile profile(Job job, Offer offer, RunFolder folder, RunState end) {
    try (RunReader run = RunReader.open(folder)) {
      List<ProfileFit.TrialTimes> trials = RunMeasurements.trials(run);
      int samples = trials.stream().mapToInt(trial -> trial.laterS().size()).sum();
      if (trials.isEmpty()) {
        throw noMeasurement(run, end.ending());
      }
      refuseUnknownMetric(job, run);
      MeasurementOrigin measurementOrigin =
          new MeasurementOrigin(end.now(), "run " + folder.run(), Math.max(1, samples));
      return ProfileFit.of(
          job.name(),
          offer.gpu(),
          job.search().resource().unit(),
          measurementOrigin,
          trials,
          RunMeasurements.leases(run));
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
      throw new ProfilingFailedException(
          2,
          "search.metric.name is "
              + wanted
              + ", but the trials report "
              + (reported.isEmpty() ? "no metric at all" : "only " + String.join(", ", reported)));
    }
  }

  private static ProfilingFailedException noMeasurement(RunReader run, ShutdownState ending) {
    String faults =
        run.faults().stream()
            .map(faultRow -> "\ntrial " + faultRow.trial() + ": " + faultRow.message())
            .limit(3)
            .collect(Collectors.joining());
    return ending
        .reason()
        .map(reason -> ProfilingFailedException.stopped(ending.exitCode(), reason, faults))
        .orElseGet(
            () -> new ProfilingFailedException(ending.exitCode(), "no trial reported" + faults));
  }
}
