package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;

/** The probability distribution of a quantity. */
sealed interface DrawDistribution
    permits ConstantDraws, LogNormalDraws, EmpiricalDraws, StragglerDraws {
  /** Returns the expected value. */
  double mean();

  /** Returns whether draws differ. */
  boolean varies();

  /** Returns a source of draws at the start of {@code streams}. */
  DrawSource open(RandomStreams streams);

  /** A sequence of independent draws. */
  interface DrawSource {
    /** Writes the next {@code count} draws to {@code into}, starting at index {@code from}. */
    void fill(double[] into, int from, int count);
  }
}
