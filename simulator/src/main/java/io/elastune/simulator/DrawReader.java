package io.elastune.simulator;

/** Reads a table of draws sample by sample. For one thread. */
final class DrawReader {
  private static final Law.Source NOT_OPEN = (into, from, count) -> {};
  private static final int NONE = -1;

  private final DrawTable table;
  private final boolean streamed;
  private final int stride;
  private double[] values;
  private Law.Source source = NOT_OPEN;
  private int block = NONE;
  private int drawn;

  DrawReader(DrawTable table) {
    this.table = table;
    this.streamed = table.varies() && !table.isKept();
    this.stride = table.isKept() ? table.width() : 0;
    this.values = new double[table.isKept() ? 0 : table.width()];
    if (!table.varies()) {
      table.open(0).fill(values, 0, values.length);
    }
  }

  /** Where the draws of the sample last asked for stand. */
  double[] values() {
    return values;
  }

  /** Index in {@link #values} of the first draw of {@code sample}; cheap in ascending order. */
  int offset(int sample) {
    if (Blocks.number(sample) != block || sample < drawn - 1) {
      open(Blocks.number(sample));
    }
    if (streamed) {
      for (; drawn <= sample; drawn++) {
        source.fill(values, 0, values.length);
      }
    }
    return (sample - Blocks.start(block)) * stride;
  }

  /** The first draw of {@code sample}. */
  double first(int sample) {
    int offset = offset(sample);
    return values[offset];
  }

  private void open(int number) {
    block = number;
    if (table.isKept()) {
      values = table.block(number);
    } else if (streamed) {
      source = table.open(number);
      drawn = Blocks.start(number);
    }
  }
}
