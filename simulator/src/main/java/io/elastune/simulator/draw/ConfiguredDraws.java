package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The factors {@code X} of the trials of a group whose durations depend on their hyperparameters:
 * each draw is multiplied by the factor of its trial. The trials of a later group are drawn from
 * those of the first group of the chain, all equally likely. In one sample, the trials of a group
 * are among those of the group before it, because all groups use the same random numbers for it.
 */
public final class ConfiguredDraws implements DrawDistribution {
  private final DrawDistribution base;
  private final double[] factors;
  private final int members;
  private final RandomStreams survivors;

  /**
   * @param base the distribution of what the hyperparameters do not explain
   * @param factors the factors of the trials of the first group
   * @param members the number of trials of the group
   * @param survivors the stream that selects the trials of the chain
   */
  public ConfiguredDraws(
      DrawDistribution base, List<Double> factors, int members, RandomStreams survivors) {
    this.base = base;
    this.factors = factors.stream().mapToDouble(Double::doubleValue).toArray();
    this.members = members;
    this.survivors = survivors;
  }

  @Override
  public double mean() {
    return base.mean() * Arrays.stream(factors).average().orElseThrow();
  }

  @Override
  public boolean varies() {
    return base.varies() || members < factors.length;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return open(streams, 0);
  }

  @Override
  public DrawSource open(RandomStreams streams, int block) {
    return new Source(base.open(streams), survivors.at(block).open());
  }

  /** Draws whole samples: {@code members} values each. */
  private final class Source implements DrawSource {
    private final DrawSource own;
    private final RandomGenerator random;
    private final double[] keys = new double[factors.length];
    private final double[] sorted = new double[factors.length];

    Source(DrawSource own, RandomGenerator random) {
      this.own = own;
      this.random = random;
    }

    @Override
    public void fill(double[] into, int from, int count) {
      own.fill(into, from, count);
      for (int row = from; row < from + count; row += members) {
        if (members == factors.length) {
          multiply(into, row, Double.POSITIVE_INFINITY);
        } else {
          multiply(into, row, threshold());
        }
      }
    }

    /** Draws a key of each trial, and returns the largest key of a trial that continues. */
    private double threshold() {
      for (int trial = 0; trial < keys.length; trial++) {
        keys[trial] = random.nextDouble();
      }
      System.arraycopy(keys, 0, sorted, 0, keys.length);
      Arrays.sort(sorted);
      return sorted[members - 1];
    }

    private void multiply(double[] into, int row, double threshold) {
      int at = row;
      for (int trial = 0; trial < factors.length && at < row + members; trial++) {
        if (keys[trial] <= threshold) {
          into[at++] *= factors[trial];
        }
      }
    }
  }
}
