package io.elastune.simulator.draw;

import io.elastune.core.profile.Straggler;
import io.elastune.core.random.RandomStreams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A distribution whose draws are multiplied by a slowdown with some probability. The mixture is
 * scaled to the mean of the original distribution, because the profile's seconds per unit were
 * measured including stragglers (docs/model.md, "Time"). A separate random stream decides which
 * draws are stragglers, so the underlying draws are the same as without stragglers.
 */
final class StragglerDraws implements DrawDistribution {
  private final DrawDistribution common;
  private final double probability;
  private final double quick;
  private final double slow;

  private StragglerDraws(DrawDistribution common, Straggler straggler) {
    this.common = common;
    this.probability = straggler.probability();
    this.quick = 1 / straggler.meanFactor();
    this.slow = quick * straggler.slowdown();
  }

  /**
   * Returns {@code common} itself if the probability of a straggler is 0 or 1 or the slowdown is 1.
   */
  static DrawDistribution of(DrawDistribution common, Straggler straggler) {
    boolean mixed =
        straggler.probability() > 0 && straggler.probability() < 1 && straggler.slowdown() > 1;
    return mixed ? new StragglerDraws(common, straggler) : common;
  }

  @Override
  public double mean() {
    return common.mean();
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    DrawSource drawSource = common.open(streams);
    UniformRandomProvider random = streams.at("straggler").open()::nextLong;
    return (into, from, count) -> {
      drawSource.fill(into, from, count);
      for (int i = from; i < from + count; i++) {
        into[i] *= random.nextDouble() < probability ? slow : quick;
      }
    };
  }
}
