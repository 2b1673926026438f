package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import io.elastune.core.random.StreamGenerator;

/**
 * A quantity of trials that repeat a part of it whenever their last checkpoint is torn
 * (docs/model.md, "Faults"): each draw is multiplied by 1 plus the repeated fraction times the
 * count of its trial. Trials with torn checkpoints therefore need no other simulation than trials
 * that take longer.
 */
public final class RepeatedDraws implements DrawDistribution {
  private final DrawDistribution once;
  private final RepeatCounts counts;
  private final RandomStreams streamsOfCounts;
  private final double fraction;

  private RepeatedDraws(
      DrawDistribution once, RepeatCounts counts, RandomStreams streamsOfCounts, double fraction) {
    this.once = once;
    this.counts = counts;
    this.streamsOfCounts = streamsOfCounts;
    this.fraction = fraction;
  }

  /**
   * Returns {@code once} itself if no checkpoint is torn.
   *
   * @param streamsOfCounts the streams of the table of {@code counts}
   * @param fraction what is repeated of the quantity after each torn checkpoint
   */
  public static DrawDistribution of(
      DrawDistribution once, RepeatCounts counts, RandomStreams streamsOfCounts, double fraction) {
    return counts.varies() ? new RepeatedDraws(once, counts, streamsOfCounts, fraction) : once;
  }

  @Override
  public double mean() {
    return once.mean() * (1 + fraction * counts.mean());
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return open(streams, 0);
  }

  @Override
  public DrawSource open(RandomStreams streams, int block) {
    DrawSource drawSource = once.open(streams, block);
    StreamGenerator random = streamsOfCounts.at(block).open();
    return (into, from, count) -> {
      drawSource.fill(into, from, count);
      counts.repeat(random, fraction, into, from, count);
    };
  }
}
