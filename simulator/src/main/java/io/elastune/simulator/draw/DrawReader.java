package io.elastune.simulator.draw;

import java.util.Optional;

/** Reads a table of draws sample by sample. Not thread-safe. */
public final class DrawReader {
  private static final DrawDistribution.DrawSource NOT_OPEN = (into, from, count) -> {};
  private static final int NONE = -1;

  private final DrawTable table;
  private final double[] row;
  // The draws of a whole block, or of one sample.
  private double[] values;
  private int stride;
  private boolean streamed;
  private DrawDistribution.DrawSource drawSource = NOT_OPEN;
  private int block = NONE;
  private int drawn;

  public DrawReader(DrawTable table) {
    this.table = table;
    this.row = new double[table.width()];
    this.values = row;
    if (!table.varies()) {
      table.open(0).fill(row, 0, row.length);
    }
  }

  /** Returns the number of draws in a sample. */
  public int width() {
    return table.width();
  }

  /** Returns the array with the draws of the last requested sample. */
  public double[] values() {
    return values;
  }

  /**
   * Returns the index in {@link #values} of the first draw of {@code sample}; fast in ascending
   * order.
   */
  public int offset(int sample) {
    if (SampleBlocks.number(sample) != block || sample < drawn - 1) {
      open(SampleBlocks.number(sample));
    }
    if (streamed) {
      for (; drawn <= sample; drawn++) {
        drawSource.fill(row, 0, row.length);
      }
    }
    return (sample - SampleBlocks.start(block)) * stride;
  }

  /** Writes the first draw of each sample of a block to every {@code step}-th index. */
  public void firsts(int start, int end, double[] into, int place, int step) {
    int from = offset(start);
    int at = place;
    for (int sample = start; sample < end; sample++) {
      into[at] = values[streamed ? offset(sample) : from];
      from += stride;
      at += step;
    }
  }

  private void open(int number) {
    block = number;
    if (!table.varies()) {
      return;
    }
    Optional<double[]> kept = table.block(number);
    streamed = kept.isEmpty();
    stride = streamed ? 0 : table.width();
    values = kept.orElse(row);
    drawn = SampleBlocks.start(number);
    if (streamed) {
      drawSource = table.open(number);
    }
  }
}
