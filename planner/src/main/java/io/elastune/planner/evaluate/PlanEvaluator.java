package io.elastune.planner.evaluate;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.SampledPlans;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Evaluates plans by simulation with common random numbers, and caches the results. Few samples
 * reject clearly infeasible plans, more samples compare plans, and most are for the plan that is
 * shown: of many plans that look just good enough by few samples some do so by chance, so the
 * chosen plan is evaluated again. Jobs of many trials get fewer samples in all three cases.
 */
public final class PlanEvaluator {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /**
   * Standard errors beyond which half of the first samples reject a plan, with the probability of
   * an error that all of them have (Student's t); not tunable.
   */
  private static final double HALF_STANDARD_ERRORS = 5.2;

  private final Problem problem;
  private final Limits limits;
  private final SearchParameters.SampleCounts parameters;
  private final PlanProgress progress;
  private final int screening;
  private final int trials;
  private final Simulator simulator;
  private final int quickSamples;
  private final int comparisonSamples;
  private final int finalLeast;

  /** Trials to simulate for a final estimate. */
  private final int finalTrials;

  private final boolean isPlayed;
  private final Map<Plan, IncrementalSampling> incrementalSamplings = new HashMap<>();
  private final Map<Plan, Evaluation> quickVerdicts = new HashMap<>();
  private final Map<Plan, Evaluation> fullVerdicts = new HashMap<>();
  private final Map<Plan, Evaluation> shownVerdicts = new HashMap<>();
  private final Map<Plan, Estimate> estimates = new HashMap<>();

  /**
   * The evaluation of a plan by sampling.
   *
   * @param completionS mean
   * @param costUsd mean
   * @param safeS least deadline that is met with the required confidence
   * @param safeUsd least budget that is met with the required confidence
   * @param onTime fraction of samples that meet the deadline
   * @param inBudget fraction of samples within the budget
   * @param samples number of samples
   */
  public record Evaluation(
      Plan plan,
      double completionS,
      double costUsd,
      double safeS,
      double safeUsd,
      double onTime,
      double inBudget,
      int samples)
      implements TimeAndCost {}

  /**
   * A chance constraint.
   *
   * @param isMet whether a plan meets it
   * @param mayBeMet whether it may, as far as so many samples can show
   */
  record ChanceConstraint(Predicate<Evaluation> isMet, Predicate<Evaluation> mayBeMet) {}

  /**
   * Creates an evaluator. A time limit ends sampling soon ({@link SamplingLimit}); a plan without
   * any sample is evaluated as infinitely slow.
   */
  public PlanEvaluator(PlannerInputs inputs) {
    this.problem = inputs.problem();
    this.progress = inputs.progress();
    this.parameters = inputs.parameters().sampleCounts();
    int samples = inputs.options().samples();
    this.limits = problem.limits();
    this.trials =
        problem
            .workload()
            .rungs()
            .filter(rule -> !rule.limitsTrials())
            .map(RungRule::drawnTrials)
            .orElseGet(
                () -> problem.workload().groups().stream().mapToInt(TrialGroup::trials).sum());
    boolean isPolicy = problem.policy().choosesSizes();
    this.isPlayed = isPolicy || problem.workload().rungs().isPresent();
    this.finalTrials = isPolicy ? parameters.finalPlayedTrials() : parameters.finalTrials();
    double finalShare = shareOfHugeJob(samples, parameters.hugeLeastRatio());
    double share = shareOfHugeJob(samples, parameters.hugeComparedRatio());
    this.finalLeast = within((int) (parameters.finalLeastSamples() * finalShare), 1, samples);
    int shown = within(finalTrials / trials, finalLeast, samples);
    SamplingLimit limit = new SamplingLimit(inputs.timeLimitReached());
    this.simulator = new Simulator(problem, shown, inputs.options().threads(), limit);
    int more =
        Math.min(
            parameters.comparisonMoreTrials() / trials, samples / parameters.comparisonDivisor());
    this.comparisonSamples =
        within(
            Math.max(parameters.comparisonTrials() / trials, more),
            (int) (samples * share / parameters.comparisonLeastDivisor()),
            samples);
    this.quickSamples =
        within(
            parameters.quickTrials() / trials,
            (int) (samples * share / parameters.quickLeastDivisor()),
            samples / parameters.quickDivisor());
    this.screening = Math.min(quickSamples, parameters.screeningSamples());
  }

  /** The part of the fewest samples that a job of many thousand trials gets. */
  private double shareOfHugeJob(int samples, double least) {
    double simulated = (double) trials * samples / parameters.quickLeastDivisor();
    return Math.min(1, Math.max(least, parameters.hugeTrials() / simulated));
  }

  private static int within(int value, int least, int most) {
    return Math.max(1, Math.min(most, Math.max(least, value)));
  }

  /** Evaluates a plan by few samples; by screening samples alone if these reject it. */
  Evaluation evaluateQuickly(Plan plan) {
    return quickVerdicts.computeIfAbsent(
        plan,
        key -> {
          Evaluation first = verdict(key, sampling(key).sampleUpTo(screening));
          boolean broken = isMissed(first, first.onTime()) || isMissed(first, first.inBudget());
          return broken ? first : verdict(key, sampling(key).sampleUpTo(quickSamples));
        });
  }

  /** Evaluates a plan by the screening samples alone. */
  public Evaluation evaluateByScreening(Plan plan) {
    return verdict(plan, sampling(plan).sampleUpTo(screening));
  }

  /**
   * Evaluates a plan by its first samples alone, which have the same draws in all plans.
   *
   * @param samples at most the screening samples
   */
  public Evaluation evaluateByFirst(Plan plan, int samples) {
    int few = Math.min(samples, screening);
    JointSamples all = sampling(plan).sampleUpTo(few);
    int count = Math.min(few, all.costUsd().length);
    return verdict(plan, all.first(count));
  }

  /**
   * Returns how many samples of a plan simulate about so many trials.
   *
   * @return at least 1 and at most the screening samples
   */
  public int samplesOf(int simulatedTrials) {
    return within(simulatedTrials / trials, 1, screening);
  }

  /** Returns the mean number of trials that start, by the screening samples. */
  public double meanTrials(Plan plan) {
    boolean isEmpty = sampling(plan).sampleUpTo(screening).costUsd().length == 0;
    return isEmpty ? 0 : sampling(plan).startedTrials().mean();
  }

  /** Whether the screening samples meet all limits clearly, so that no more samples are needed. */
  boolean meetsLimitsClearly(Plan plan) {
    Evaluation first = verdict(plan, sampling(plan).sampleUpTo(screening), 1);
    return first.safeS() <= parameters.clearLimitRatio() * limits.deadlineOrInfinityS()
        && first.safeUsd() <= parameters.clearLimitRatio() * limits.budgetOrInfinityUsd();
  }

  /** Number of trials to simulate for one screening. */
  int screeningTrials() {
    return trials * screening;
  }

  /**
   * Whether a plan is worse than another with high confidence, by the samples that both have: every
   * plan has the screening samples, and equal samples use the same random numbers. The first few
   * are sufficient for a plan that is worse by far.
   *
   * @param figure what is compared, sample by sample
   */
  boolean isSurelyWorse(Plan plan, Plan than, Function<JointSamples, double[]> figure) {
    return isWorseByFar(plan, than, figure) || isWorse(plan, than, figure, screening);
  }

  /**
   * Whether the first samples show with high confidence that a plan is worse than another one.
   *
   * @param figure what is compared, sample by sample
   */
  boolean isWorseByFar(Plan plan, Plan than, Function<JointSamples, double[]> figure) {
    int first = Math.min(screening, parameters.firstSamples());
    boolean isHalfEnough =
        first == parameters.firstSamples()
            && isWorse(plan, than, figure, first / 2, HALF_STANDARD_ERRORS);
    return isHalfEnough || isWorse(plan, than, figure, first);
  }

  private boolean isWorse(
      Plan plan, Plan than, Function<JointSamples, double[]> figure, int samples) {
    return isWorse(plan, than, figure, samples, parameters.rejectStandardErrors());
  }

  private boolean isWorse(
      Plan plan,
      Plan than,
      Function<JointSamples, double[]> figure,
      int samples,
      double standardErrors) {
    double[] own = figure.apply(sampling(plan).sampleUpTo(samples));
    double[] other = figure.apply(sampling(than).sampleUpTo(samples));
    int both = Math.min(own.length, other.length);
    double[] worse = new double[both];
    Arrays.setAll(worse, sample -> own[sample] - other[sample]);
    double mean = mean(worse);
    double squares = Arrays.stream(worse).map(value -> (value - mean) * (value - mean)).sum();
    return both > 1 && mean > standardErrors * Math.sqrt(squares / (both - 1.0) / both);
  }

  /** Mean dollars of the screening samples, which use the same random numbers for all plans. */
  double glanceUsd(Plan plan) {
    double[] costUsd = sampling(plan).sampleUpTo(screening).costUsd();
    return mean(Arrays.copyOf(costUsd, Math.min(costUsd.length, parameters.screeningSamples())));
  }

  /**
   * Evaluates a plan by half the samples of a quick evaluation, or by more if they exist. Its safe
   * limits have some confidence to spare, since few samples estimate them poorly.
   */
  public Evaluation evaluateForFrontier(Plan plan) {
    JointSamples jointSamples = sampling(plan).sampleUpTo((quickSamples + 1) / 2);
    double confidence = limits.confidence();
    double sparing = Math.min(1, confidence + standardError(jointSamples.completionS().length));
    return verdict(plan, jointSamples, sparing);
  }

  private boolean isMissed(Evaluation evaluation, double kept) {
    return evaluation.samples() > 1
        && kept
            < limits.confidence()
                - parameters.rejectStandardErrors() * standardError(evaluation.samples());
  }

  /** Evaluates a plan by the samples of a comparison. */
  public Evaluation evaluateForComparison(Plan plan) {
    return fullVerdicts.computeIfAbsent(
        plan, key -> verdict(key, sampling(key).sampleUpTo(comparisonSamples)));
  }

  private IncrementalSampling sampling(Plan plan) {
    return incrementalSamplings.computeIfAbsent(plan, simulator::sampling);
  }

  /** Evaluates a plan by the samples of the final estimate. */
  public Evaluation evaluateFinally(Plan plan) {
    return shownVerdicts.computeIfAbsent(
        plan,
        key -> {
          IncrementalSampling incrementalSampling = sampling(key);
          int most = finalSamples(key);
          progress.at(PlanProgress.SAMPLES, 0, most);
          JointSamples samples =
              isPlayed || key.shared()
                  ? incrementalSampling.sampleUntilAccurate(
                      finalLeast,
                      most,
                      parameters.finalErrorRatio(),
                      played -> progress.at(PlanProgress.SAMPLES, played, most))
                  : incrementalSampling.sampleUpTo(
                      most, played -> progress.at(PlanProgress.SAMPLES, played, most));
          Evaluation evaluation = verdict(key, samples);
          if (evaluation.samples() > 0) {
            estimates.put(key, incrementalSampling.estimate());
          }
          return evaluation;
        });
  }

  /** The most samples of the final estimate: how many trials start may depend on the plan. */
  private int finalSamples(Plan plan) {
    if (problem.workload().rungs().filter(rule -> !rule.limitsTrials()).isEmpty()) {
      return simulator.samples();
    }
    int most = (int) (finalTrials / Math.max(1, meanTrials(plan)));
    return within(most, finalLeast, simulator.samples());
  }

  /**
   * Evaluates a plan by the samples of the final estimate; by fewer if these show that a limit is
   * missed.
   */
  public Evaluation evaluateFinallyIfFeasible(Plan plan) {
    int most = finalSamples(plan);
    for (int samples = 2 * comparisonSamples; samples < most; samples *= 2) {
      Evaluation evaluation = verdict(plan, sampling(plan).sampleUpTo(samples));
      if (!mayMeetAllLimits(evaluation)) {
        return evaluation;
      }
    }
    return evaluateFinally(plan);
  }

  /** Whether the plan was evaluated by the samples of a comparison. */
  boolean isCompared(Plan plan) {
    return fullVerdicts.containsKey(plan);
  }

  /**
   * Returns the final estimate of a plan.
   *
   * @throws NoSampleException if the time limit ended its sampling before the first sample
   */
  public Estimate estimate(Plan plan) {
    return estimateIfSampled(plan).orElseThrow(NoSampleException::new);
  }

  private Optional<Estimate> estimateIfSampled(Plan plan) {
    evaluateFinally(plan);
    return Optional.ofNullable(estimates.get(plan));
  }

  /** Returns what was sampled, for those who compare plans further. */
  public SampledPlans samples() {
    return SampledPlans.of(problem, this::sampling, this::estimateIfSampled);
  }

  /** The deadline as a chance constraint. */
  ChanceConstraint deadline() {
    return new ChanceConstraint(this::onTime, this::perhapsOnTime);
  }

  /** The budget as a chance constraint. */
  ChanceConstraint budget() {
    return new ChanceConstraint(this::inBudget, this::perhapsInBudget);
  }

  /** Deadline and budget together. */
  ChanceConstraint allLimits() {
    return new ChanceConstraint(this::meetsAllLimits, this::mayMeetAllLimits);
  }

  private boolean onTime(Evaluation evaluation) {
    return evaluation.safeS() <= limits.deadlineOrInfinityS();
  }

  private boolean inBudget(Evaluation evaluation) {
    return evaluation.safeUsd() <= limits.budgetOrInfinityUsd();
  }

  /** Whether a plan meets both limits. */
  public boolean meetsAllLimits(Evaluation evaluation) {
    return onTime(evaluation) && inBudget(evaluation);
  }

  /** Whether a plan may meet both limits, as far as so many samples can show. */
  boolean mayMeetAllLimits(Evaluation evaluation) {
    return perhapsOnTime(evaluation) && perhapsInBudget(evaluation);
  }

  /** Returns an evaluated plan as a baseline. */
  public Baseline baseline(String name, Evaluation evaluation) {
    return new Baseline(
        name,
        meetsAllLimits(evaluation),
        evaluation.completionS(),
        evaluation.costUsd(),
        Optional.of(evaluation.plan()));
  }

  private boolean perhapsOnTime(Evaluation evaluation) {
    return onTime(evaluation) || evaluation.onTime() >= limits.confidence() - margin(evaluation);
  }

  private boolean perhapsInBudget(Evaluation evaluation) {
    return inBudget(evaluation)
        || evaluation.inBudget() >= limits.confidence() - margin(evaluation);
  }

  private double margin(Evaluation evaluation) {
    return evaluation.samples() == 1
        ? 0
        : parameters.possibleStandardErrors() * standardError(evaluation.samples());
  }

  private double standardError(int samples) {
    double confidence = limits.confidence();
    return Math.sqrt(confidence * (1 - confidence) / samples);
  }

  private Evaluation verdict(Plan plan, JointSamples jointSamples) {
    return verdict(plan, jointSamples, limits.confidence());
  }

  private Evaluation verdict(Plan plan, JointSamples jointSamples, double confidence) {
    if (jointSamples.costUsd().length == 0) {
      return new Evaluation(plan, NEVER, NEVER, NEVER, NEVER, 0, 0, 0);
    }
    return new Evaluation(
        plan,
        mean(jointSamples.completionS()),
        mean(jointSamples.costUsd()),
        jointSamples.safeDeadlineS(confidence),
        jointSamples.safeBudgetUsd(confidence),
        jointSamples.onTime(limits.deadlineOrInfinityS()),
        jointSamples.inBudget(limits.budgetOrInfinityUsd()),
        jointSamples.costUsd().length);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }
}
