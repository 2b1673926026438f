package io.elastune.profiler;

import io.elastune.core.billing.Billing;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasurementChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Chooses the next GPU count that a profiling run measures, by the value of its information: how
 * much better a plan would be that may use this count too, averaged over the times that {@link
 * ScalingLaw} considers possible. Plans use measured counts only, so this is the value of measuring
 * it (Raiffa and Schlaifer, Applied Statistical Decision Theory, 1961). A count is measured if its
 * value exceeds its cost.
 */
public final class MeasurementChooser {
  /** Possible tables of times for which plans are compared. */
  private static final int SAMPLES = 12;

  /** Gains below this fraction of the plan are errors of sampling. */
  private static final double LEAST_GAIN = 0.005;

  /** A predicted cost that is known to this fraction is accurate enough. */
  private static final double ACCURATE = 0.02;

  /**
   * A more accurate prediction is worth so many times what it corrects. Measuring the random laws
   * of docs/profiling.md then costs three to four percent of their jobs.
   */
  private static final double WORTH_OF_ACCURACY = 3;

  /** A job that has no plan otherwise is worth so many times what its plan takes. */
  static final double WORTH_OF_PLAN = 10;

  /** Another measurement leaves this fraction of an error of which the causes are not known. */
  private static final double ERROR_LEFT = Math.sqrt(0.5);

  /** The least seconds that a group of trials is measured. */
  private static final double SHORTEST_S = 10;

  private final MeasurementDesign design;
  private final Workload workload;
  private final Offer offer;
  private final int maxInstances;
  private final OptionalDouble maxUsd;
  private final OptionalDouble maxS;
  private final PlanValue plans;
  private final Supplier<Optional<Profile>> measured;
  private final MemoryRoom room;
  private final Optional<SearchAccuracy> accuracy;
  private int held;

  /** Computes how many instances have memory for trials as they were measured. */
  @FunctionalInterface
  public interface MemoryRoom {
    /** Returns the most instances with so many trials on each of their GPUs. */
    int instances(Profile measured, int trialsPerGpu);
  }

  /**
   * Creates a chooser for one profiling run.
   *
   * @param maxUsd what the run may cost
   * @param maxS how long it may take, in seconds
   * @param measured the profile from what the run has measured so far
   * @param room how many instances have memory for the trials
   * @param accuracy how accurate a prediction is to be, where measuring costs nothing
   */
  public MeasurementChooser(
      Job job,
      Offer offer,
      int maxInstances,
      OptionalDouble maxUsd,
      OptionalDouble maxS,
      PlanValue plans,
      Supplier<Optional<Profile>> measured,
      MemoryRoom room,
      Optional<SearchAccuracy> accuracy) {
    this.accuracy = accuracy;
    this.design = MeasurementDesign.chosen(job, offer, maxInstances);
    this.workload = TrialGroups.of(job.search());
    this.offer = offer;
    this.maxInstances = maxInstances;
    this.maxUsd = maxUsd;
    this.maxS = maxS;
    this.plans = plans;
    this.measured = measured;
    this.room = room;
    this.held = design.plan().of(design.workload().groups().get(0)).instances();
  }

  /** A count that may be measured next. */
  private record Candidate(
      TrialSize size, int instances, double gain, double usd, double seconds) {}

  /** Returns what is measured next. */
  public MeasurementChoice choose(Command.ChooseMeasurement question) {
    Optional<Profile> now = measured.get();
    if (now.isEmpty()) {
      return next(
          TrialSize.of(design.sizes().get(0)),
          held,
          0,
          0,
          0); // no attempt can be used: try it again
    }
    MeasurementChoice choice = choose(now.get(), question);
    return choice.next().isPresent()
        ? choice
        : accuracy
            .flatMap(wanted -> forAccuracy(wanted, now.get(), question, choice))
            .orElse(choice);
  }

  /** Returns a measurement of further configurations with the first count. */
  private Optional<MeasurementChoice> forAccuracy(
      SearchAccuracy wanted,
      Profile profile,
      Command.ChooseMeasurement question,
      MeasurementChoice choice) {
    int gpus = design.sizes().get(0);
    TrialSize size = TrialSize.of(gpus);
    int units = Math.min(MeasurementDesign.FEWEST_UNITS, design.mostUnits());
    double trainingS = 2 * profile.startupS().mean() + units * seconds(profile, gpus);
    double usd = held * trainingS * offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
    Candidate candidate = new Candidate(size, held, 0, usd, trainingS);
    int slots = Math.max(1, maxInstances * offer.gpus() / gpus);
    if (!isAllowed(candidate, question) || held > room.instances(profile, size.sharing())) {
      return Optional.empty();
    }
    return wanted
        .missing(question.elapsedS(), trainingS, slots)
        .map(
            missing ->
                choice.forAccuracy(
                    allocation(size),
                    missing.error(),
                    Math.min(
                        missing.leftS(),
                        maxS.orElse(Double.POSITIVE_INFINITY) - question.elapsedS())));
  }

  private MeasurementChoice choose(Profile profile, Command.ChooseMeasurement question) {
    ScalingLaw law = law(profile);
    List<NavigableMap<Integer, Double>> tables = law.samples(design.sizes(), SAMPLES);
    List<Double> known = values(profile, tables, profile.secondsByGpus().keySet());
    double present =
        known.stream().filter(Double::isFinite).mapToDouble(v -> v).average().orElse(0);
    List<Candidate> candidates = new ArrayList<>();
    for (int gpus : design.sizes()) {
      Candidate candidate =
          law.isMeasured(gpus)
              ? again(profile, gpus, error(gpus, tables, known), present)
              : another(profile, gpus, tables, known);
      candidates.add(candidate);
    }
    candidates.addAll(shared(profile, tables, known));
    candidates.removeIf(
        candidate ->
            !isAllowed(candidate, question)
                || candidate.instances() > room.instances(profile, candidate.size().sharing()));
    Optional<Candidate> best =
        candidates.stream().max(Comparator.comparingDouble(c -> c.gain() - cost(c)));
    if (best.isEmpty()) {
      return MeasurementChoice.NONE;
    }
    Candidate one = best.get();
    double share = present > 0 ? one.gain() / present : 1;
    return one.gain() > cost(one) && share > LEAST_GAIN
        ? next(one.size(), one.instances(), one.gain(), share, cost(one))
        : new MeasurementChoice(Optional.empty(), plans.isTimed(), one.gain(), share, cost(one));
  }

  private double cost(Candidate candidate) {
    return plans.isTimed() ? candidate.seconds() : candidate.usd();
  }

  private MeasurementChoice next(
      TrialSize size, int instances, double gain, double share, double cost) {
    held = instances;
    return new MeasurementChoice(Optional.of(allocation(size)), plans.isTimed(), gain, share, cost);
  }

  private Allocation allocation(TrialSize size) {
    return new Allocation(offer.name(), held, size.gpus(), size.sharing());
  }

  private static ScalingLaw law(Profile profile) {
    return ScalingLaw.of(profile.secondsByGpus(), errors(profile));
  }

  /** Returns the relative standard errors of the seconds per unit by GPUs per trial. */
  static Map<Integer, Double> errors(Profile profile) {
    Map<Integer, Double> errors = new TreeMap<>();
    profile
        .secondsByGpus()
        .keySet()
        .forEach(
            gpus ->
                profile
                    .measured()
                    .number("training." + gpus)
                    .ifPresent(one -> errors.put(gpus, one.standardError() / one.value())));
    return errors;
  }

  /** The value of each table if plans may use only these counts; infinite if no plan is found. */
  private List<Double> values(
      Profile profile, List<NavigableMap<Integer, Double>> tables, Iterable<Integer> counts) {
    List<Double> values = new ArrayList<>();
    for (NavigableMap<Integer, Double> table : tables) {
      values.add(value(possible(profile, table, counts)));
    }
    return values;
  }

  private double value(Profile profile) {
    return plans
        .of(profile)
        .map(worth -> plans.isTimed() ? worth.completionS() : worth.usd())
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** The profile with some counts of a possible table of times. */
  private static Profile possible(
      Profile profile, NavigableMap<Integer, Double> table, Iterable<Integer> counts) {
    TreeMap<Integer, Double> some = new TreeMap<>();
    counts.forEach(
        gpus -> some.put(gpus, table.containsKey(gpus) ? table.get(gpus) : seconds(profile, gpus)));
    return profile.withTraining(some);
  }

  private static double seconds(Profile profile, int gpus) {
    return profile.secondsPerUnit(gpus).orElseThrow();
  }

  /** A count that was not measured: its gain is that of plans that may use it. */
  private Candidate another(
      Profile profile, int gpus, List<NavigableMap<Integer, Double>> tables, List<Double> known) {
    TreeMap<Integer, Double> counts = new TreeMap<>(profile.secondsByGpus());
    counts.put(gpus, 0.0);
    double gain = gain(known, values(profile, tables, counts.keySet()));
    double seconds =
        tables.stream().mapToDouble(table -> table.getOrDefault(gpus, 0.0)).average().orElse(0);
    int needed = Math.max(held, design.instances(gpus));
    return candidate(profile, TrialSize.of(gpus), needed, gain, seconds);
  }

  private static double gain(List<Double> known, List<Double> others) {
    double gain = 0;
    for (int i = 0; i < known.size(); i++) {
      double with = others.get(i);
      double without = Double.isFinite(known.get(i)) ? known.get(i) : WORTH_OF_PLAN * with;
      gain += Double.isFinite(with) ? Math.max(0, without - with) / known.size() : 0;
    }
    return gain;
  }

  /** Trials that share a GPU, on the instances that are held: their gain is that of such plans. */
  private List<Candidate> shared(
      Profile profile, List<NavigableMap<Integer, Double>> tables, List<Double> known) {
    List<Candidate> candidates = new ArrayList<>();
    for (int count : design.sharing()) {
      if (profile.secondsBySharing().containsKey(count)
          || !profile.secondsByGpus().containsKey(1)) {
        continue;
      }
      SharingLaw law = SharingLaw.of(profile);
      List<Double> others = new ArrayList<>();
      double seconds = 0;
      for (int i = 0; i < tables.size(); i++) {
        Profile possible = possible(profile, tables.get(i), profile.secondsByGpus().keySet());
        double unitS = law.seconds(count, seconds(possible, 1), (i + 0.5) / tables.size());
        NavigableMap<Integer, Double> table = new TreeMap<>(profile.secondsBySharing());
        table.put(count, unitS);
        others.add(value(possible.withSharing(table)));
        seconds += unitS / tables.size();
      }
      candidates.add(
          candidate(profile, new TrialSize(1, count), held, gain(known, others), seconds));
    }
    return candidates;
  }

  /**
   * A measured count: more trials, on one more instance, make the prediction more accurate. The
   * trials that are already measured ran on instances that may all be faster than others.
   *
   * @param error the relative error of the prediction
   */
  private Candidate again(Profile profile, int gpus, double error, double present) {
    double worst = errors(profile).values().stream().mapToDouble(e -> e).max().orElse(1);
    boolean isWorst = errors(profile).getOrDefault(gpus, worst) >= worst;
    double predicted = present > 0 ? present : withoutPlan(profile, gpus);
    int needed = Math.min(maxInstances, held + 1);
    double removed = error * (1 - errorLeft(profile, gpus, needed));
    double gain = error > ACCURATE && isWorst ? WORTH_OF_ACCURACY * removed * predicted : 0;
    return candidate(profile, TrialSize.of(gpus), needed, gain, seconds(profile, gpus));
  }

  /**
   * Returns the fraction of the error of a count that more trials on {@code needed} instances
   * leave. The part that trials and their units explain decreases with the number of trials, the
   * rest with that of instances.
   */
  private double errorLeft(Profile profile, int gpus, int needed) {
    Optional<MeasuredNumber> number = profile.measured().number("training." + gpus);
    double variance = number.map(one -> Math.pow(one.standardError() / one.value(), 2)).orElse(0.0);
    if (variance == 0) {
      return ERROR_LEFT;
    }
    double trials = number.get().count();
    double unitVariance = Math.pow(profile.unitCv(), 2) / MeasurementDesign.FEWEST_UNITS;
    double ofTrials = Math.min(variance, (Math.pow(profile.trialCv(), 2) + unitVariance) / trials);
    double more = Math.max(1, needed * offer.gpus() / gpus);
    double left = ofTrials * trials / (trials + more) + (variance - ofTrials) * held / needed;
    return Math.sqrt(left / variance);
  }

  /**
   * Returns the relative error of the predictions. Those that meet the limits are too similar if
   * others do not: then it is the error of the seconds per unit.
   */
  private static double error(
      int gpus, List<NavigableMap<Integer, Double>> tables, List<Double> known) {
    double[] values =
        known.stream().allMatch(Double::isFinite)
            ? known.stream().mapToDouble(value -> value).toArray()
            : tables.stream().mapToDouble(table -> table.getOrDefault(gpus, 0.0)).toArray();
    double mean = StatUtils.mean(values);
    return mean > 0 ? Math.sqrt(StatUtils.variance(values)) / mean : 0;
  }

  /** Returns about what the job takes with trials of {@code gpus}, without a plan. */
  private double withoutPlan(Profile profile, int gpus) {
    double units =
        workload.groups().stream()
            .mapToDouble(group -> (double) group.trials() * (group.toUnit() - group.fromUnit()))
            .sum();
    double instanceS = units * seconds(profile, gpus) * gpus / offer.gpus();
    return plans.isTimed()
        ? instanceS / maxInstances
        : instanceS * offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  private Candidate candidate(
      Profile profile, TrialSize size, int needed, double gain, double unitS) {
    double trainingS = trainingS(profile, unitS);
    double provisioningS = needed > held ? offer.queueS().mean() + offer.bootS().mean() : 0;
    double seconds = provisioningS + trainingS;
    double usd =
        (needed * trainingS + (needed - held) * offer.bootS().mean())
            * offer.usdPerHour()
            / Billing.SECONDS_PER_HOUR;
    return new Candidate(size, needed, gain, usd, seconds);
  }

  /** Returns the seconds that the trials of one count are measured. */
  static double trainingS(Profile profile, double unitS) {
    return 2 * profile.startupS().mean()
        + Math.max(SHORTEST_S, MeasurementDesign.FEWEST_UNITS * unitS);
  }

  private boolean isAllowed(Candidate candidate, Command.ChooseMeasurement question) {
    return question.spentUsd() + candidate.usd() <= maxUsd.orElse(Double.POSITIVE_INFINITY)
        && question.elapsedS() + candidate.seconds() <= maxS.orElse(Double.POSITIVE_INFINITY);
  }
}
