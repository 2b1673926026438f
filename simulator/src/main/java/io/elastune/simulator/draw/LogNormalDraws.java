package io.elastune.simulator.draw;

import io.elastune.core.Spread;
import io.elastune.core.random.RandomStreams;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;

/**
 * A log-normal distribution: the logarithm of a draw is normally distributed.
 *
 * @param mean mean of the draws
 * @param mu mean of the logarithms
 * @param sigma standard deviation of the logarithms
 */
public record LogNormalDraws(double mean, double mu, double sigma) implements DrawDistribution {
  /**
   * Returns the distribution with a mean and coefficient of variation, both above 0: {@code σ² =
   * ln(1+cv²)}, {@code μ = ln(mean) − σ²/2} (docs/model.md, "Time").
   */
  static LogNormalDraws of(double mean, double cv) {
    double variance = Spread.logVariance(cv);
    return new LogNormalDraws(mean, Math.log(mean) - variance / 2, Math.sqrt(variance));
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return new Source(NormalDraws.sampler(streams), mu, sigma);
  }

  @Override
  public double first(RandomStreams streams) {
    return Math.exp(mu + sigma * NormalDraws.sampler(streams).sample());
  }

  private record Source(ContinuousSampler normal, double mu, double sigma) implements DrawSource {
    @Override
    public void fill(double[] into, int from, int count) {
      for (int i = from; i < from + count; i++) {
        into[i] = Math.exp(mu + sigma * normal.sample());
      }
    }
  }
}
