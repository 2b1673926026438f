package io.elastune.profiler;

import io.elastune.core.billing.Billing;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * A GPU model on which a program was not measured, and by how much it is faster than a measured
 * one, as published for other programs. Whether it is worth measuring depends on what plans would
 * save with the speeds that the publication makes possible.
 *
 * @param known the profile on the measured model
 * @param speed the mean ratio of the throughput to that of the measured model
 * @param least the ratio of the published program that gains least
 * @param most the ratio of the published program that gains most
 */
public record OtherModel(Profile known, double speed, double least, double most) {
  private static final int SAMPLES = 12;

  /** The range of a few programs is about three standard deviations wide. */
  private static final double RANGE_WIDTH = 3;

  /** Own programs may differ more than the published ones. */
  private static final double LEAST_DEVIATION = 0.1;

  /**
   * What a measurement on the model is worth.
   *
   * @param gain the expected improvement of the plan, in USD or seconds
   * @param cost what the first measurement takes, in the same unit
   * @param inSeconds whether both are seconds
   * @param betterIn the fraction of possible speeds with which the plan improves
   */
  public record Value(double gain, double cost, boolean inSeconds, double betterIn) {
    /** Returns whether the measurement is worth its cost. */
    public boolean isWorthwhile() {
      return gain > cost;
    }
  }

  /**
   * Returns the value of measuring on {@code offer}.
   *
   * @param present the best plan without this model
   * @param plans finds the best plan with a profile on this model
   */
  public Value value(
      Job job, Offer offer, int maxInstances, Optional<PlanValue.Worth> present, PlanValue plans) {
    double without = present.map(worth -> value(worth, plans)).orElse(Double.POSITIVE_INFINITY);
    double deviation = Math.max(LEAST_DEVIATION, Math.log(most / least) / RANGE_WIDTH);
    NormalDistribution normal = new NormalDistribution();
    double gain = 0;
    int better = 0;
    for (int i = 0; i < SAMPLES; i++) {
      double z = normal.inverseCumulativeProbability((i + 0.5) / SAMPLES);
      Optional<Double> with =
          plans
              .of(converted(offer.gpu(), speed * Math.exp(deviation * z)))
              .map(worth -> value(worth, plans));
      if (with.isPresent() && with.get() < without) {
        gain += Math.min(without, MeasurementChooser.WORTH_OF_PLAN * with.get()) - with.get();
        better++;
      }
    }
    return new Value(
        gain / SAMPLES,
        cost(job, offer, maxInstances, plans.isTimed()),
        plans.isTimed(),
        (double) better / SAMPLES);
  }

  private static double value(PlanValue.Worth worth, PlanValue plans) {
    return plans.isTimed() ? worth.completionS() : worth.usd();
  }

  private Profile converted(String gpu, double ratio) {
    TreeMap<Integer, Double> seconds = new TreeMap<>(known.secondsByGpus());
    seconds.replaceAll((gpus, unitS) -> unitS / ratio);
    return known.onGpu(gpu).withTraining(seconds);
  }

  private double cost(Job job, Offer offer, int maxInstances, boolean inSeconds) {
    MeasurementDesign design = MeasurementDesign.chosen(job, offer, maxInstances);
    int first = design.sizes().get(0);
    double unitS = known.secondsByGpus().firstEntry().getValue() / speed;
    double paidS = offer.bootS().mean() + MeasurementChooser.trainingS(known, unitS);
    return inSeconds
        ? offer.queueS().mean() + paidS
        : design.instances(first) * paidS * offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
  }
}
