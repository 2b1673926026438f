package io.elastune.simulator;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The draws of one quantity: {@code width} of them in each sample. Each block of samples has a
 * stream of its own and can be drawn without those before it. Blocks are kept in memory for the
 * plans to come, or drawn afresh by whoever needs them; the numbers are the same. For several
 * threads: two that come to a block at once both draw it, alike.
 */
final class DrawTable {
  private final Law law;
  private final Streams streams;
  private final int width;
  private final int samples;
  // One entry per block if blocks are kept, else none.
  private final AtomicReferenceArray<double[]> kept;

  /**
   * @param keep whether to hold all draws of all samples in memory
   */
  DrawTable(Law law, Streams streams, int width, int samples, boolean keep) {
    this.law = law;
    this.streams = streams;
    this.width = width;
    this.samples = samples;
    this.kept = new AtomicReferenceArray<>(keep && law.varies() ? Blocks.of(samples) : 0);
  }

  /** Draws in each sample. */
  int width() {
    return width;
  }

  /** Whether samples differ. */
  boolean varies() {
    return law.varies();
  }

  /** Whether {@link #block} is to be used, not {@link #open}. */
  boolean isKept() {
    return kept.length() > 0;
  }

  /** The draws of block number {@code block}, sample after sample. */
  double[] block(int block) {
    double[] known = kept.get(block);
    if (known != null) {
      return known;
    }
    double[] drawn = new double[width * (Blocks.end(block, samples) - Blocks.start(block))];
    open(block).fill(drawn, 0, drawn.length);
    kept.set(block, drawn);
    return drawn;
  }

  /** The same draws, one after the other. */
  Law.Source open(int block) {
    return law.open(streams.at(block));
  }
}
