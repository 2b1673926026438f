package io.elastune.planner;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Sampling;
import io.elastune.simulator.Simulator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Predicts plans by sampling, with common random numbers, and remembers what it predicted. Few
 * samples tell the hopeless from the promising, more compare plans, most are for the plan that is
 * shown: of many plans that look just good enough some do so by luck, and a plan that was chosen
 * among them is to be looked at again. For jobs of very many trials all three are fewer.
 */
final class Judge {
  private final Limits limits;
  private final SearchParameters.SampleCounts parameters;
  private final int trials;
  private final Simulator simulator;
  private final int few;
  private final int many;
  private final Map<Plan, Sampling> samplings = new HashMap<>();
  private final Map<Plan, Verdict> quickVerdicts = new HashMap<>();
  private final Map<Plan, Verdict> fullVerdicts = new HashMap<>();
  private final Map<Plan, Verdict> shownVerdicts = new HashMap<>();
  private final Map<Plan, Estimate> estimates = new HashMap<>();

  /**
   * What sampling says of a plan.
   *
   * @param completionS mean
   * @param costUsd mean
   * @param safeS the least deadline that is kept with the confidence asked for
   * @param safeUsd the least budget that is
   * @param onTime the fraction of samples that keep the deadline
   * @param inBudget the fraction of samples that keep the budget
   * @param samples how many there were
   */
  record Verdict(
      Plan plan,
      double completionS,
      double costUsd,
      double safeS,
      double safeUsd,
      double onTime,
      double inBudget,
      int samples)
      implements Timed {}

  /**
   * What a plan has to keep.
   *
   * @param kept whether it does
   * @param perhaps whether it may do, as far as so many samples can tell
   */
  record Limit(Predicate<Verdict> kept, Predicate<Verdict> perhaps) {}

  Judge(Problem problem, PlannerOptions options, SearchParameters.SampleCounts parameters) {
    this.parameters = parameters;
    int samples = options.samples();
    this.limits = problem.limits();
    this.trials = problem.workload().groups().stream().mapToInt(TrialGroup::trials).sum();
    int shown =
        within(
            parameters.finalTrials() / trials,
            Math.min(samples, parameters.finalLeastSamples()),
            samples);
    this.simulator = new Simulator(problem, shown, options.threads());
    int more =
        Math.min(
            parameters.comparisonMoreTrials() / trials, samples / parameters.comparisonDivisor());
    this.many =
        within(
            Math.max(parameters.comparisonTrials() / trials, more),
            samples / parameters.comparisonLeastDivisor(),
            samples);
    this.few =
        within(
            parameters.quickTrials() / trials,
            samples / parameters.quickLeastDivisor(),
            samples / parameters.quickDivisor());
  }

  private static int within(int value, int least, int most) {
    return Math.max(1, Math.min(most, Math.max(least, value)));
  }

  /** From few samples; from very few if those say that a limit is broken. */
  Verdict quick(Plan plan) {
    return quickVerdicts.computeIfAbsent(
        plan,
        key -> {
          Verdict first =
              verdict(key, sampling(key).upTo(Math.min(few, parameters.screeningSamples())));
          boolean broken = isBroken(first, first.onTime()) || isBroken(first, first.inBudget());
          return broken ? first : verdict(key, sampling(key).upTo(few));
        });
  }

  /** Whether the very first samples keep all limits by far: more of them need not be asked. */
  boolean keepsByFar(Plan plan) {
    Verdict first =
        verdict(plan, sampling(plan).upTo(Math.min(few, parameters.screeningSamples())), 1);
    return first.safeS()
            <= parameters.clearLimitRatio() * limits.deadlineS().orElse(Double.POSITIVE_INFINITY)
        && first.safeUsd()
            <= parameters.clearLimitRatio() * limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
  }

  /** Trials that are played for such a look at a plan. */
  int glanceTrials() {
    return trials * Math.min(few, parameters.screeningSamples());
  }

  /**
   * Whether a plan is surely worse than another, of which there are some samples: by those of the
   * same luck that there are of both, for each has the very first.
   */
  boolean isSurelyWorse(Plan plan, Plan than, Function<Samples, double[]> figure) {
    double[] own = figure.apply(sampling(plan).upTo(Math.min(few, parameters.screeningSamples())));
    double[] other =
        figure.apply(sampling(than).upTo(Math.min(few, parameters.screeningSamples())));
    int both = Math.min(own.length, other.length);
    double[] worse = new double[both];
    Arrays.setAll(worse, sample -> own[sample] - other[sample]);
    double mean = mean(worse);
    double squares = Arrays.stream(worse).map(value -> (value - mean) * (value - mean)).sum();
    return both > 1
        && mean > parameters.rejectStandardErrors() * Math.sqrt(squares / (both - 1.0) / both);
  }

  /** Mean dollars in the very first samples: plans compared by them saw the same luck. */
  double glanceUsd(Plan plan) {
    double[] costUsd = sampling(plan).upTo(Math.min(few, parameters.screeningSamples())).costUsd();
    return mean(Arrays.copyOf(costUsd, Math.min(costUsd.length, parameters.screeningSamples())));
  }

  /**
   * From half of a few samples, or from more if there are. What is safe is so with some confidence
   * to spare, for few samples tell little of it.
   */
  Verdict some(Plan plan) {
    Samples samples = sampling(plan).upTo((few + 1) / 2);
    double confidence = limits.confidence();
    double sparing = Math.min(1, confidence + standardError(samples.completionS().length));
    return verdict(plan, samples, sparing);
  }

  private boolean isBroken(Verdict verdict, double kept) {
    return verdict.samples() > 1
        && kept
            < limits.confidence()
                - parameters.rejectStandardErrors() * standardError(verdict.samples());
  }

  /** From as many samples as plans are compared by. */
  Verdict full(Plan plan) {
    return fullVerdicts.computeIfAbsent(plan, key -> verdict(key, sampling(key).upTo(many)));
  }

  private Sampling sampling(Plan plan) {
    return samplings.computeIfAbsent(plan, simulator::sampling);
  }

  /** From as many samples as are shown. */
  Verdict shown(Plan plan) {
    return shownVerdicts.computeIfAbsent(
        plan,
        key -> {
          Sampling sampling = sampling(key);
          Verdict verdict = verdict(key, sampling.upTo(Integer.MAX_VALUE));
          estimates.put(key, sampling.estimate());
          return verdict;
        });
  }

  /** From as many samples as are shown; from fewer if those say that a limit is broken. */
  Verdict shownIfKept(Plan plan) {
    for (int samples = 2 * many; samples < simulator.samples(); samples *= 2) {
      Verdict verdict = verdict(plan, sampling(plan).upTo(samples));
      if (!(perhapsOnTime(verdict) && perhapsInBudget(verdict))) {
        return verdict;
      }
    }
    return shown(plan);
  }

  /** Whether the plan was looked at by more than few samples. */
  boolean isKnown(Plan plan) {
    return fullVerdicts.containsKey(plan);
  }

  /** The estimate from as many samples as are shown. */
  Estimate estimate(Plan plan) {
    shown(plan);
    return Objects.requireNonNull(estimates.get(plan), "known from now on");
  }

  /** The deadline, with the confidence asked for. */
  Limit deadline() {
    return new Limit(this::onTime, this::perhapsOnTime);
  }

  /** The budget. */
  Limit budget() {
    return new Limit(this::inBudget, this::perhapsInBudget);
  }

  /** Both. */
  Limit all() {
    return new Limit(this::keepsAll, verdict -> perhapsOnTime(verdict) && perhapsInBudget(verdict));
  }

  private boolean onTime(Verdict verdict) {
    return verdict.safeS() <= limits.deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  private boolean inBudget(Verdict verdict) {
    return verdict.safeUsd() <= limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether both are kept. */
  boolean keepsAll(Verdict verdict) {
    return onTime(verdict) && inBudget(verdict);
  }

  private boolean perhapsOnTime(Verdict verdict) {
    return onTime(verdict) || verdict.onTime() >= limits.confidence() - doubt(verdict);
  }

  private boolean perhapsInBudget(Verdict verdict) {
    return inBudget(verdict) || verdict.inBudget() >= limits.confidence() - doubt(verdict);
  }

  private double doubt(Verdict verdict) {
    return verdict.samples() == 1
        ? 0
        : parameters.possibleStandardErrors() * standardError(verdict.samples());
  }

  private double standardError(int samples) {
    double confidence = limits.confidence();
    return Math.sqrt(confidence * (1 - confidence) / samples);
  }

  private Verdict verdict(Plan plan, Samples samples) {
    return verdict(plan, samples, limits.confidence());
  }

  private Verdict verdict(Plan plan, Samples samples, double confidence) {
    return new Verdict(
        plan,
        mean(samples.completionS()),
        mean(samples.costUsd()),
        samples.safeS(confidence),
        samples.safeUsd(confidence),
        kept(samples.completionS(), limits.deadlineS().orElse(Double.POSITIVE_INFINITY)),
        kept(samples.costUsd(), limits.budgetUsd().orElse(Double.POSITIVE_INFINITY)),
        samples.costUsd().length);
  }

  private static double kept(double[] values, double limit) {
    return (double) Arrays.stream(values).filter(value -> value <= limit).count() / values.length;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }
}
