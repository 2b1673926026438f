package io.elastune.simulator.draw;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.random.StreamGenerator;

/**
 * Boot seconds of which some are multiplied by a factor (docs/model.md, "Faults"). In contrast to
 * {@link StragglerDraws}, the mean grows: measured boot times do not include slow boots. A separate
 * random stream decides which boots are slow, so the others are the same as without them.
 */
record SlowBootDraws(DrawDistribution boot, double probability, double factor)
    implements DrawDistribution {
  private static final String SEPARATE = "slow boot";

  /** Returns {@code boot} itself if no boot is slow. */
  static DrawDistribution of(DrawDistribution boot, InstanceFaultRates rates) {
    double probability = rates.slowBoot().value();
    return probability > 0 ? new SlowBootDraws(boot, probability, rates.slowBootFactor()) : boot;
  }

  @Override
  public double mean() {
    return boot.mean() * (1 + probability * (factor - 1));
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    DrawSource drawSource = boot.open(streams);
    StreamGenerator random = streams.at(SEPARATE).open();
    return (into, from, count) -> {
      drawSource.fill(into, from, count);
      for (int i = from; i < from + count; i++) {
        into[i] *= random.nextFraction() < probability ? factor : 1;
      }
    };
  }

  @Override
  public double first(RandomStreams streams) {
    boolean isSlow = streams.at(SEPARATE).open().nextFraction() < probability;
    return boot.first(streams) * (isSlow ? factor : 1);
  }
}
