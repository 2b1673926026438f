package io.elastune.simulator;

import java.util.Arrays;

/**
 * The looks at the samples of a tail, after each of which sampling may end, and the order
 * statistics that bound its quantile there.
 *
 * <p>Of {@code n} independent samples, the number beyond a value that is exceeded with probability
 * {@code p} is binomial, whatever the distribution. From look to look, it grows by an independent
 * binomial number. So the probability that any of the bounds is wrong is computed exactly, and is
 * at most the stated error, whichever look is the last one.
 */
final class TailLooks {
  /** Part of the error that the first of several looks may have; the others share the rest. */
  private static final double FIRST_SHARE = 0.6;

  /** Standard deviations beyond the mean up to which the numbers of samples are considered. */
  private static final int DEVIATIONS = 12;

  private final int[] samples;
  private final double exceeded;
  private final double error;
  private int taken;
  private Walk upper = new Walk(new double[] {1}, 0);
  private Walk lower = new Walk(new double[] {1}, 0);

  /**
   * The number of samples beyond the quantile, as long as no bound was wrong.
   *
   * @param probabilities the probability of each number
   * @param wrong the probability that one of the bounds so far was wrong
   */
  // An array, because it is computed in a loop; equality of these records is not used.
  @SuppressWarnings("ArrayRecordComponent")
  private record Walk(double[] probabilities, double wrong) {
    Walk after(double[] more) {
      double[] sums = new double[probabilities.length + more.length - 1];
      for (int i = 0; i < probabilities.length; i++) {
        for (int j = 0; j < more.length; j++) {
          sums[i + j] += probabilities[i] * more[j];
        }
      }
      return new Walk(sums, wrong);
    }

    /** Returns how many of the lowest numbers have a probability that is allowed. */
    int lowest(double allowed) {
      double sum = wrong;
      int count = 0;
      while (sum + probabilities[count] <= allowed) {
        sum += probabilities[count++];
      }
      return count;
    }

    /** Returns the number above which all numbers together have a probability that is allowed. */
    int highest(double allowed) {
      double sum = wrong;
      int highest = probabilities.length - 1;
      while (sum + probabilities[highest] <= allowed) {
        sum += probabilities[highest--];
      }
      return highest;
    }

    /** Returns this without the numbers at which a bound is wrong. */
    Walk without(int from, int to) {
      double sum = Arrays.stream(probabilities, from, to).sum();
      double[] others = probabilities.clone();
      Arrays.fill(others, from, to, 0);
      return new Walk(others, wrong + sum);
    }
  }

  /**
   * A look.
   *
   * @param samples samples in all
   * @param aboveUpper how many of them exceed the upper bound
   * @param aboveLower how many of them exceed the lower bound
   */
  record Look(int samples, int aboveUpper, int aboveLower) {
    /** Returns the upper bound of samples in ascending order. */
    double upper(double[] sorted) {
      return sorted[samples - 1 - aboveUpper];
    }

    /** Returns the lower bound of samples in ascending order. */
    double lower(double[] sorted) {
      return sorted[samples - 1 - aboveLower];
    }
  }

  /**
   * @param samples the samples of each look, in ascending order
   * @param exceeded the probability with which the quantile is exceeded
   * @param error the probability with which an upper bound may be below the quantile, and that with
   *     which a lower bound may be above it, less than half
   */
  TailLooks(int[] samples, double exceeded, double error) {
    this.samples = samples.clone();
    this.exceeded = exceeded;
    this.error = error;
  }

  /**
   * Returns the fewest samples of which one has at least the confidence to be beyond the quantile:
   * with fewer, no sample is an upper bound.
   *
   * @param exceeded the probability with which the quantile is exceeded
   */
  static int fewest(double exceeded, double confidence) {
    return (int) Math.ceil(Math.log(1 - confidence) / Math.log1p(-exceeded));
  }

  /** Returns the most samples: those of the last look. */
  int most() {
    return samples[samples.length - 1];
  }

  /** Returns whether there is a further look. */
  boolean hasNext() {
    return taken < samples.length;
  }

  /**
   * Returns the next look.
   *
   * @throws IllegalArgumentException if the first look has fewer samples than the bound requires
   */
  Look next() {
    int count = samples[taken];
    double[] more = binomial(taken == 0 ? count : count - samples[taken - 1]);
    upper = upper.after(more);
    lower = lower.after(more);
    double allowed = error * share(taken);
    int tooFew = upper.lowest(allowed);
    if (tooFew == 0) {
      throw new IllegalArgumentException(count + " samples are too few for an upper bound");
    }
    int aboveLower = Math.min(lower.highest(allowed), count - 1);
    upper = upper.without(0, tooFew);
    lower = lower.without(aboveLower + 1, lower.probabilities().length);
    taken++;
    return new Look(count, tooFew - 1, aboveLower);
  }

  /** Returns which part of the error the looks up to one may have. */
  private double share(int look) {
    return samples.length == 1
        ? 1
        : FIRST_SHARE + (1 - FIRST_SHARE) * look / (samples.length - 1.0);
  }

  /** Returns the probability of each number of samples beyond the quantile. */
  private double[] binomial(int count) {
    double mean = count * exceeded;
    int most = (int) Math.min(count, mean + DEVIATIONS * (Math.sqrt(mean) + 1));
    double[] probabilities = new double[most + 1];
    probabilities[0] = Math.exp(count * Math.log1p(-exceeded));
    double odds = exceeded / (1 - exceeded);
    for (int i = 0; i < most; i++) {
      probabilities[i + 1] = probabilities[i] * odds * (count - i) / (i + 1);
    }
    return probabilities;
  }
}
