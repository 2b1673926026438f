package io.elastune.simulator;

import io.elastune.core.profile.Straggler;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A law whose draws are, with some probability, stretched by a slow-down. Our reading of model.md,
 * where {@code X} has mean 1: the mixture is scaled to the mean of the law it is made from, since
 * the profile's seconds per unit were measured with the stragglers among them. Whether a draw is a
 * straggler comes from a stream of its own, so that the other draws stay as they were without
 * stragglers.
 */
final class Straggling implements Law {
  private final Law common;
  private final double probability;
  private final double quick;
  private final double slow;

  private Straggling(Law common, Straggler straggler) {
    this.common = common;
    this.probability = straggler.probability();
    this.quick = 1 / (1 - probability + probability * straggler.slowdown());
    this.slow = quick * straggler.slowdown();
  }

  /** {@code common} itself if there are no stragglers, or nothing else. */
  static Law of(Law common, Straggler straggler) {
    boolean mixed =
        straggler.probability() > 0 && straggler.probability() < 1 && straggler.slowdown() > 1;
    return mixed ? new Straggling(common, straggler) : common;
  }

  @Override
  public double mean() {
    return common.mean();
  }

  @Override
  public boolean varies() {
    return true;
  }

  @Override
  public Source open(Streams streams) {
    Source source = common.open(streams);
    UniformRandomProvider random = streams.at("straggler").open();
    return (into, from, count) -> {
      source.fill(into, from, count);
      for (int i = from; i < from + count; i++) {
        into[i] *= random.nextDouble() < probability ? slow : quick;
      }
    };
  }
}
