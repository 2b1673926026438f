package io.elastune.core.search;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Search;
import io.elastune.core.plan.RungRule;
import java.util.Map;
import java.util.OptionalInt;

/** Counts the configurations of a search space, and how many trials a search has for them. */
public final class SpaceSize {
  private SpaceSize() {}

  /**
   * Returns the number of different configurations of a space; empty if it is infinite or larger
   * than any search.
   */
  public static OptionalInt of(Map<String, Dimension> space) {
    if (space.values().stream().anyMatch(dimension -> dimension.gridSize().isEmpty())) {
      return OptionalInt.empty();
    }
    try {
      int size = new ConfigurationGrid(space).size();
      return size <= RungRule.UNLIMITED ? OptionalInt.of(size) : OptionalInt.empty();
    } catch (ArithmeticException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * Returns how many of {@code trials} new trials a search has: each configuration of a finite
   * space is trained at most {@code search.repeat} times. A population keeps its size.
   */
  static int limited(Search search, int trials) {
    if (search.drawsWithReplacement() || search.algorithm() == Algorithm.PBT) {
      return trials;
    }
    OptionalInt size = of(search.space());
    return size.isEmpty()
        ? trials
        : (int) Math.min(trials, (long) size.getAsInt() * search.repeat());
  }

  /**
   * Returns the number of different configurations with which {@code trials} new trials of a search
   * start.
   */
  public static int distinct(Search search, int trials) {
    int repeat = search.algorithm() == Algorithm.PBT ? 1 : Math.max(1, search.repeat());
    int groups = (int) (((long) trials + repeat - 1) / repeat);
    OptionalInt size = of(search.space());
    return size.isEmpty() ? groups : Math.min(groups, size.getAsInt());
  }
}
