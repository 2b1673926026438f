package io.elastune.core.policy;

import java.util.Arrays;

/** Numbers in ascending order. Immutable: with another number, all blocks but one are shared. */
final class OrderedValues {
  static final OrderedValues NONE = new OrderedValues(new double[0][], 0);

  private static final int MOST_IN_BLOCK = 128;

  /** None is empty. */
  private final double[][] blocks;

  private final int size;

  private OrderedValues(double[][] blocks, int size) {
    this.blocks = blocks;
    this.size = size;
  }

  int size() {
    return size;
  }

  /** Returns these numbers and {@code value}. */
  OrderedValues with(double value) {
    if (size == 0) {
      return new OrderedValues(new double[][] {{value}}, 1);
    }
    int index = 0;
    while (index < blocks.length - 1 && value > blocks[index][blocks[index].length - 1]) {
      index++;
    }
    double[] grown = insert(blocks[index], value);
    boolean splits = grown.length > MOST_IN_BLOCK;
    double[][] others = Arrays.copyOf(blocks, blocks.length + (splits ? 1 : 0));
    if (splits) {
      int middle = grown.length / 2;
      System.arraycopy(blocks, index + 1, others, index + 2, blocks.length - index - 1);
      others[index] = Arrays.copyOf(grown, middle);
      others[index + 1] = Arrays.copyOfRange(grown, middle, grown.length);
    } else {
      others[index] = grown;
    }
    return new OrderedValues(others, size + 1);
  }

  private static double[] insert(double[] block, double value) {
    int at = block.length;
    while (at > 0 && block[at - 1] > value) {
      at--;
    }
    double[] grown = Arrays.copyOf(block, block.length + 1);
    System.arraycopy(block, at, grown, at + 1, block.length - at);
    grown[at] = value;
    return grown;
  }

  /**
   * Returns the linearly interpolated quantile of at least one number.
   *
   * @param share from 0 to 1
   */
  double quantile(double share) {
    double rank = share * (size - 1);
    int below = (int) rank;
    double low = get(below);
    double above = rank - below;
    return above == 0 ? low : low + above * (get(below + 1) - low);
  }

  private double get(int index) {
    int left = index;
    int block = 0;
    while (left >= blocks[block].length) {
      left -= blocks[block].length;
      block++;
    }
    return blocks[block][left];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OrderedValues values && Arrays.deepEquals(blocks, values.blocks);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(blocks);
  }

  @Override
  public String toString() {
    return Arrays.deepToString(blocks);
  }
}
