package io.elastune.planner.model;

/**
 * The maximum of several independent normal variables, as a normal variable (C. E. Clark, 1961).
 */
final class NormalMaximum {
  /**
   * Standard deviations beyond which the smaller variable does not count. An accuracy of the
   * approximation, not tunable.
   */
  private static final double FAR = 4;

  private double meanS;
  private double varianceS2;

  void clear() {
    meanS = Double.NEGATIVE_INFINITY;
    varianceS2 = 0;
  }

  void add(double otherS, double otherS2) {
    double apart = Math.sqrt(varianceS2 + otherS2);
    if (Math.abs(meanS - otherS) >= FAR * apart) {
      if (otherS > meanS) {
        meanS = otherS;
        varianceS2 = otherS2;
      }
      return;
    }
    double gapS = meanS - otherS;
    double mine = StandardNormal.probability(gapS / apart);
    double density = StandardNormal.density(gapS / apart);
    // Moments about the other mean, to avoid cancellation of large times.
    double first = gapS * mine + apart * density;
    double second =
        (gapS * gapS + varianceS2) * mine + otherS2 * (1 - mine) + gapS * apart * density;
    meanS = otherS + first;
    varianceS2 = Math.max(0, second - first * first);
  }

  double meanS() {
    return meanS;
  }

  double varianceS2() {
    return varianceS2;
  }
}
