package io.elastune.core;

/** A range of whole numbers, both ends included, written as {@code 1..8}. */
public record IntRange(int low, int high) {
  public IntRange {
    Preconditions.that(low <= high, "the range " + low + ".." + high + " is empty");
  }

  public boolean contains(int value) {
    return low <= value && value <= high;
  }

  @Override
  public String toString() {
    return low + ".." + high;
  }
}
