package io.elastune.simulator.draw;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.random.RandomStreams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Boot seconds of which some are multiplied by a factor (docs/model.md, "Faults"). In contrast to
 * {@link StragglerDraws}, the mean grows: measured boot times do not include slow boots. A separate
 * random stream decides which boots are slow, so the others are the same as without them.
 */
record SlowBootDraws(DrawDistribution boot, double probability, double factor)
    implements DrawDistribution {
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
    UniformRandomProvider random = streams.at("slow boot").open()::nextLong;
    return (into, from, count) -> {
      drawSource.fill(into, from, count);
      for (int i = from; i < from + count; i++) {
        into[i] *= random.nextDouble() < probability ? factor : 1;
      }
    };
  }
}
