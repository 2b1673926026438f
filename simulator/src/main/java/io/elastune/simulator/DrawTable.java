package io.elastune.simulator;

/**
 * The draws of one quantity: {@code width} of them in each sample. Kept in memory for the plans to
 * come, or drawn afresh sample by sample; the numbers are the same. Not for several threads.
 */
final class DrawTable {
  /** Samples that one generator serves; a later block can be drawn without those before it. */
  private static final int BLOCK = 1024;

  private static final Law.Source NOT_OPEN = (into, from, count) -> {};

  private final Law law;
  private final Streams streams;
  private final int width;
  private final boolean streamed;
  private final int stride;
  private final double[] values;
  private Law.Source source;

  /**
   * @param keep whether to hold all draws of all samples in memory
   */
  DrawTable(Law law, Streams streams, int width, int samples, boolean keep) {
    this.law = law;
    this.streams = streams;
    this.width = width;
    this.source = NOT_OPEN;
    boolean kept = law.varies() && keep;
    streamed = law.varies() && !keep;
    stride = kept ? width : 0;
    values = new double[kept ? Math.multiplyExact(width, samples) : width];
    for (int sample = 0; sample < (kept ? samples : 1); sample++) {
      next(sample, sample * stride);
    }
  }

  private void next(int sample, int offset) {
    if (sample % BLOCK == 0) {
      source = law.open(streams.at(sample / BLOCK));
    }
    source.fill(values, offset, width);
  }

  /** Where the draws of the sample last asked for stand. */
  double[] values() {
    return values;
  }

  /**
   * Index of the first draw of {@code sample} in {@link #values}. Samples are to be asked for in
   * ascending order from 0, each once per plan.
   */
  int offset(int sample) {
    if (streamed) {
      next(sample, 0);
    }
    return sample * stride;
  }
}
