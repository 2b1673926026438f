package io.elastune.profiler;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasuredTime;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A profiling run of a {@link SyntheticLaw}: the groups of a {@link MeasurementDesign} and the
 * attempts of its measurement rule, with times drawn as docs/model.md states them.
 */
final class SyntheticRun {
  private final SyntheticLaw law;
  private final RandomGenerator random;
  private final double[] slowness;
  private final List<AttemptTimes> attempts = new ArrayList<>();
  private int trial;
  private int held;
  private double seconds;
  private double instanceSeconds;

  private SyntheticRun(SyntheticLaw law) {
    this.law = law;
    random = SyntheticLaw.stream(law.seed(), "run");
    Profile truth = law.truth();
    slowness =
        IntStream.range(0, law.instances())
            .mapToDouble(i -> SyntheticLaw.factor(random, truth.instanceCv()))
            .toArray();
  }

  /** Measures every count that is not interpolated, on all instances. */
  static SyntheticRun ofEveryCount(SyntheticLaw law) {
    SyntheticRun run = new SyntheticRun(law);
    MeasurementDesign design = MeasurementDesign.of(law.job(), law.offer(), law.instances());
    for (TrialGroup group : design.workload().groups()) {
      run.measure(group, design.plan().of(group), group.trials());
    }
    return run;
  }

  /** Measures what {@link MeasurementChooser} chooses. */
  static SyntheticRun ofChosenCounts(SyntheticLaw law, PlanValue plans) {
    SyntheticRun run = new SyntheticRun(law);
    MeasurementDesign design = MeasurementDesign.chosen(law.job(), law.offer(), law.instances());
    MeasurementChooser chooser =
        new MeasurementChooser(
            law.job(),
            law.offer(),
            law.instances(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            plans,
            () -> Optional.of(run.profile()),
            (profile, trialsPerGpu) -> Integer.MAX_VALUE,
            Optional.empty());
    List<TrialGroup> groups = design.workload().groups();
    Optional<Allocation> next = Optional.of(design.plan().of(groups.get(0)));
    for (int i = 0; i < groups.size() && next.isPresent(); i++) {
      Allocation allocation = next.get();
      int slots = allocation.instances() * law.offer().gpus() / allocation.gpusPerTrial();
      run.measure(groups.get(i), allocation, Math.max(1, Math.min(groups.get(i).trials(), slots)));
      next = chooser.choose(new Command.ChooseMeasurement(i + 1, run.usd(), run.seconds)).next();
    }
    return run;
  }

  private void measure(TrialGroup group, Allocation allocation, int trials) {
    double longest = 0;
    for (int i = 0; i < trials; i++) {
      longest = Math.max(longest, train(group, allocation.gpusPerTrial(), trial++, i));
    }
    seconds += longest;
    instanceSeconds += allocation.instances() * longest;
    if (allocation.instances() > held) {
      instanceSeconds += (allocation.instances() - held) * law.offer().bootS().mean();
      held = allocation.instances();
    }
  }

  /** Returns the measured attempts. */
  List<AttemptTimes> attempts() {
    return List.copyOf(attempts);
  }

  /** Returns the measured profile. */
  Profile profile() {
    return new ProfileFit(attempts)
        .profile("law", "V100", "epoch", Instant.EPOCH, "law", Optional.empty(), List.of(), false)
        .profile();
  }

  /** Returns the cost of the instances in USD, with their boot. */
  double usd() {
    return instanceSeconds * law.offer().usdPerHour() / 3600;
  }

  /** Trains one trial until it is measured, and returns the seconds of all its attempts. */
  private double train(TrialGroup group, int gpus, int trial, int position) {
    Profile truth = law.truth();
    List<Integer> places = places(gpus, position);
    double slowest = places.stream().mapToDouble(place -> slowness[place]).max().orElseThrow();
    double unitS =
        truth.secondsPerUnit(gpus).orElseThrow()
            * SyntheticLaw.factor(random, truth.trialCv())
            * slowest;
    MeasuredTime measured = new MeasuredTime(0, 0, 0, none(), none());
    double total = 0;
    int unit = 0;
    OptionalInt next = Profiler.MEASUREMENT.nextUnit(measured, unit, group.toUnit());
    while (next.isPresent()) {
      int units = next.getAsInt() - unit;
      List<Report> reports = attempt(units, unitS);
      for (int i = 1; i < reports.size() - 1; i++) {
        measured = measured.afterReport(1, reports.get(i).seconds() - reports.get(i - 1).seconds());
      }
      double whole = reports.get(units - 1).seconds();
      measured = measured.afterAttempt(units, whole);
      attempts.add(
          new AttemptTimes(
              TrialSize.of(gpus),
              trial,
              places.stream().map(place -> "lease " + place).toList(),
              unit == 0,
              units,
              reports,
              OptionalDouble.of(whole),
              ReportedStartup.NONE));
      total += whole;
      unit = next.getAsInt();
      next = Profiler.MEASUREMENT.nextUnit(measured, unit, group.toUnit());
    }
    return total;
  }

  private static MeasuredTime.Extent none() {
    return new MeasuredTime.Extent(0, 0);
  }

  /** Trials are packed; a trial that is larger than an instance has several. */
  private static List<Integer> places(int gpus, int position) {
    int each = Math.max(1, gpus / SyntheticLaw.GPUS);
    int first = position * gpus / SyntheticLaw.GPUS;
    return IntStream.range(first, first + each).boxed().toList();
  }

  private List<Report> attempt(int units, double unitS) {
    Profile truth = law.truth();
    double now = truth.startupS().mean() * SyntheticLaw.factor(random, truth.startupS().cv());
    List<Report> reports = new ArrayList<>();
    for (int unit = 1; unit <= units; unit++) {
      now += unitS * SyntheticLaw.factor(random, truth.unitCv());
      reports.add(new Report(unit, now));
    }
    return reports;
  }
}
