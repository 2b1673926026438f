package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import java.util.List;

/**
 * How fast one trial is predicted to train with an allocation, and how far single trials are off.
 *
 * @param startupS mean seconds until its first unit begins
 * @param startupVarianceS2 how far that varies
 * @param unitS mean seconds per unit
 * @param trialScv squared coefficient of variation that all units of an attempt share
 * @param unitScv of single units
 */
record Speed(
    double startupS, double startupVarianceS2, double unitS, double trialScv, double unitScv) {
  static Speed of(Profile profile, Allocation allocation) {
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow();
    double startupS = profile.startupS().mean();
    return new Speed(
        startupS,
        square(startupS * profile.startupS().cv()),
        unitS,
        trialScv(profile),
        profile.samples().isEmpty() ? square(profile.unitCv()) : 0);
  }

  /** Slow instances count as slow trials: what a run's trials have in common is not known here. */
  private static double trialScv(Profile profile) {
    double own =
        profile.samples().isEmpty() ? square(profile.trialCv()) : sampledScv(profile.samples());
    return (1 + own)
            * (1 + scv(profile.straggler()))
            * (1 + square(profile.instanceCv()))
            * (1 + scv(profile.instanceStraggler()))
        - 1;
  }

  private static double sampledScv(List<Double> samples) {
    double mean = samples.stream().mapToDouble(s -> s).average().orElseThrow();
    return samples.stream().mapToDouble(s -> square(s / mean - 1)).average().orElseThrow();
  }

  private static double scv(Straggler straggler) {
    double p = straggler.probability();
    double mean = 1 - p + p * straggler.slowdown();
    return (1 - p + p * square(straggler.slowdown())) / square(mean) - 1;
  }

  private static double square(double value) {
    return value * value;
  }

  /** Seconds that a trial of so many units takes, at {@code pace} times the predicted ones. */
  double seconds(int count, double pace) {
    return startupS + count * unitS * pace;
  }

  /** The variance in what so many units of one attempt take together. */
  double varianceS2(int count) {
    return square(unitS) * (square(count) * trialScv + count * unitScv);
  }
}
