package io.elastune.profiler;

import io.elastune.core.profile.Profile;
import java.util.Map;

/**
 * How the seconds per unit of each trial depend on the trials that share its GPU, as far as it is
 * known: {@code t(k) = t(1) · k^a}. With {@code a = 0} the GPU has room for all of them, and with
 * {@code a = 1} sharing gains nothing; more is a conflict. No law is ever used as a measurement.
 */
final class SharingLaw {
  private static final double MOST = 1.1;

  /** Other counts differ from the law of a measured one by this much. */
  private static final double DEVIATION = 0.1;

  private final double low;
  private final double high;

  private SharingLaw(double low, double high) {
    this.low = low;
    this.high = high;
  }

  /** Returns the law of a profile with a time on one GPU. */
  static SharingLaw of(Profile profile) {
    double alone = profile.secondsPerUnit(1).orElseThrow();
    double sum = 0;
    for (Map.Entry<Integer, Double> one : profile.secondsBySharing().entrySet()) {
      sum += Math.log(one.getValue() / alone) / Math.log(one.getKey());
    }
    int measured = profile.secondsBySharing().size();
    return measured == 0
        ? new SharingLaw(0, MOST)
        : new SharingLaw(sum / measured - DEVIATION, sum / measured + DEVIATION);
  }

  /**
   * Returns possible seconds per unit of each trial.
   *
   * @param alone the seconds per unit of a trial alone on a GPU
   * @param fraction from 0 to 1: how much the trials slow each other down, of what is possible
   */
  double seconds(int trialsPerGpu, double alone, double fraction) {
    return alone * Math.pow(trialsPerGpu, low + (high - low) * fraction);
  }
}
