package io.elastune.simulator.sample;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.estimate.SamplingError;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.instance.CostTotals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;

/**
 * The samples of a plan, in arrays by sample, and by group and sample. Several threads may add
 * different blocks at once.
 */
public final class Outcome {
  /** Relative tolerance for limits, because of rounding errors in sums. */
  private static final double ROUNDING = 1e-9;

  private static final int NO_GROUP = -1;

  private double[] completionS;
  private double[] costUsd;
  private boolean[] hasNoResult;
  private final double[][] groupEndS;
  private final double[][] groupUsd;
  // By block, the sums over its samples.
  private CostBreakdown[] costBreakdown;
  private final HourlyCosts running;
  private final RunFactors factors;

  /** The first sample that is not simulated yet. */
  private int next;

  // By block, the end of its samples that are complete.
  private int[] ends = {};

  /** Creates an outcome without samples. */
  public Outcome(int groups, HourlyCosts running, RunFactors factors) {
    this.running = running;
    this.factors = factors;
    completionS = new double[0];
    costUsd = new double[0];
    hasNoResult = new boolean[0];
    groupEndS = new double[groups][0];
    groupUsd = new double[groups][0];
    costBreakdown = new CostBreakdown[0];
  }

  /** Begins with some joint samples of another outcome; there must be none yet. */
  public void startWith(JointSamples known, int samples) {
    resize(samples);
    System.arraycopy(known.completionS(), 0, completionS, 0, samples);
    System.arraycopy(known.costUsd(), 0, costUsd, 0, samples);
    System.arraycopy(known.hasNoResult(), 0, hasNoResult, 0, samples);
  }

  /** Extends the arrays to {@code samples} samples. */
  public void grow(int samples) {
    next = samples();
    resize(samples);
  }

  /** Removes samples that are not complete, because a limit ended them. */
  public void shorten() {
    int complete = next;
    for (int block = SampleBlocks.number(next); block < ends.length; block++) {
      if (complete < ends[block]) {
        complete = ends[block];
      }
      if (complete < SampleBlocks.end(block, samples())) {
        break;
      }
    }
    if (complete < samples()) {
      resize(complete);
    }
  }

  private void resize(int samples) {
    completionS = Arrays.copyOf(completionS, samples);
    costUsd = Arrays.copyOf(costUsd, samples);
    hasNoResult = Arrays.copyOf(hasNoResult, samples);
    Arrays.setAll(groupEndS, group -> Arrays.copyOf(groupEndS[group], samples));
    Arrays.setAll(groupUsd, group -> Arrays.copyOf(groupUsd[group], samples));
    ends = Arrays.copyOf(ends, SampleBlocks.of(samples));
    costBreakdown = Arrays.copyOf(costBreakdown, SampleBlocks.of(samples));
  }

  /** Returns the capacity in samples. */
  public int samples() {
    return completionS.length;
  }

  /**
   * Records one sample: the end and the cost in USD of each group. A run that is slower as a whole
   * takes longer and costs more in proportion.
   */
  public void add(int sample, double[] ends, double[] usd) {
    double factor = factors.of(sample);
    double completion = 0;
    double cost = 0;
    for (int group = 0; group < ends.length; group++) {
      groupEndS[group][sample] = factor * ends[group];
      groupUsd[group][sample] = factor * usd[group];
      completion = Math.max(completion, factor * ends[group]);
      cost += factor * usd[group];
    }
    completionS[sample] = completion;
    costUsd[sample] = cost + running.usd(completion);
  }

  /** Sets whether the search has a result in a sample; it has one unless this is called. */
  public void setResult(int sample, boolean has) {
    hasNoResult[sample] = !has;
  }

  /**
   * Simulates those samples of a block that are new in order with {@code one}, which adds them to
   * this outcome and their costs to {@code costTotals}.
   */
  public void simulate(int block, CostTotals costTotals, IntConsumer one) {
    int end = SampleBlocks.end(block, samples());
    if (SampleBlocks.start(block) < next) {
      costTotals.resume(costBreakdown[block]);
    }
    int sample = Math.max(next, SampleBlocks.start(block));
    try {
      for (; sample < end; sample++) {
        costTotals.beginSample();
        one.accept(sample);
        costTotals.endSample();
      }
    } catch (SamplingLimit.Exceeded ignored) {
      // The costs of a sample that has not ended are not in the sums.
    }
    ends[block] = sample;
    costBreakdown[block] = costTotals.takeSums();
  }

  public JointSamples joint() {
    return new JointSamples(completionS, costUsd, hasNoResult);
  }

  /**
   * Returns the estimate from all samples.
   *
   * @param startsAfter for each group, the index of the group that must end before it; negative if
   *     there is none
   */
  public Estimate estimate(Limits limits, List<TrialGroup> groups, int[] startsAfter) {
    Percentiles percentiles = new Percentiles(completionS.length);
    Distribution[] ends = new Distribution[groups.size()];
    Arrays.setAll(ends, group -> percentiles.of(groupEndS[group]));
    Distribution atOnce = new Distribution(0, 0, 0, 0);
    List<GroupEstimate> byGroup = new ArrayList<>();
    for (int group = 0; group < ends.length; group++) {
      byGroup.add(
          new GroupEstimate(
              groups.get(group).name(),
              startsAfter[group] <= NO_GROUP ? atOnce : ends[startsAfter[group]],
              ends[group],
              percentiles.of(times(group, startsAfter[group])),
              percentiles.of(groupUsd[group])));
    }
    Distribution completion = percentiles.of(completionS);
    JointSamples joint = joint();
    return new Estimate(
        completion,
        percentiles.of(costUsd),
        limits.deadlineS().isPresent()
            ? joint.onTime(inclusive(limits.deadlineS().getAsDouble()))
            : 1,
        limits.budgetUsd().isPresent()
            ? OptionalDouble.of(joint.inBudget(inclusive(limits.budgetUsd().getAsDouble())))
            : OptionalDouble.empty(),
        joint.withoutResult(),
        completionS.length,
        new SamplingError(SamplingErrors.ofMean(completionS), SamplingErrors.ofMean(costUsd)),
        costBy(completion.mean()),
        byGroup);
  }

  /**
   * Returns whether the standard errors of all displayed figures of the plan are at most the
   * fraction {@code most} of them.
   */
  public boolean isAccurate(double most) {
    return SamplingErrors.within(most, completionS) && SamplingErrors.within(most, costUsd);
  }

  /** Returns, by sample, the duration of a group from the end of its predecessor. */
  private double[] times(int group, int startsAfter) {
    double[] times = groupEndS[group].clone();
    if (startsAfter > NO_GROUP) {
      Arrays.setAll(times, sample -> times[sample] - groupEndS[startsAfter][sample]);
    }
    return times;
  }

  private CostBreakdown costBy(double meanCompletionS) {
    // Sums run in block order, so rounding does not depend on the threads.
    double scale = scale();
    return new CostBreakdown(
        scale * mean(CostBreakdown::compute),
        scale * mean(CostBreakdown::idle),
        scale * mean(CostBreakdown::provisioning),
        scale * mean(CostBreakdown::data) + meanCompletionS * running.storageUsdPerS(),
        scale * mean(CostBreakdown::other) + meanCompletionS * running.controllerUsdPerS());
  }

  /** The costs by cause are those without the factors of runs, whose mean is 1. */
  private double scale() {
    double byCause =
        mean(CostBreakdown::compute)
            + mean(CostBreakdown::idle)
            + mean(CostBreakdown::provisioning)
            + mean(CostBreakdown::data)
            + mean(CostBreakdown::other);
    if (!factors.vary() || byCause <= 0) {
      return 1;
    }
    double byGroup = Arrays.stream(groupUsd).flatMapToDouble(Arrays::stream).sum();
    return byGroup / completionS.length / byCause;
  }

  private double mean(ToDoubleFunction<CostBreakdown> cause) {
    double sum = 0;
    for (CostBreakdown block : costBreakdown) {
      sum += cause.applyAsDouble(block);
    }
    return sum / completionS.length;
  }

  private static double inclusive(double limit) {
    return limit + ROUNDING * Math.abs(limit);
  }
}
