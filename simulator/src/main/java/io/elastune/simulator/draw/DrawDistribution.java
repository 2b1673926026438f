package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;

/** The probability distribution of a quantity. */
public sealed interface DrawDistribution
    permits ConstantDraws,
        ExponentialDraws,
        LogNormalDraws,
        NormalDraws,
        UniformDraws,
        EmpiricalDraws,
        StragglerDraws,
        RefusalDraws,
        SlowBootDraws,
        RepeatCounts,
        RepeatedDraws,
        ConfiguredDraws,
        CurveDraws {
  /** Returns the expected value. */
  double mean();

  /** Returns whether draws differ. */
  default boolean varies() {
    return true;
  }

  /** Returns a source of draws at the start of {@code streams}. */
  DrawSource open(RandomStreams streams);

  /**
   * Returns a source of the draws of a block of samples.
   *
   * @param streams the streams of the block
   * @param block the number of the block
   */
  default DrawSource open(RandomStreams streams, int block) {
    return open(streams);
  }

  /**
   * Returns the first of the draws that {@link #open(RandomStreams)} provides. Where few numbers
   * are drawn of each stream, to create a source would take longer than to draw them.
   */
  default double first(RandomStreams streams) {
    double[] drawn = new double[1];
    open(streams).fill(drawn, 0, 1);
    return drawn[0];
  }

  /** A sequence of independent draws. */
  interface DrawSource {
    /** Writes the next {@code count} draws to {@code into}, starting at index {@code from}. */
    void fill(double[] into, int from, int count);
  }
}
