package io.elastune.planner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A Pareto set of time and cost: the fastest item first, each slower and cheaper than the one
 * before. Times and costs are in arrays, because searches query them at every step.
 */
public final class ParetoFront<T extends TimeAndCost> {
  private final List<T> items = new ArrayList<>();
  private double[] timesS = new double[16];
  private double[] costsUsd = new double[16];
  private final Comparator<T> smaller;

  /**
   * @param smaller which of two items of equal time and cost to retain: the first
   */
  public ParetoFront(Comparator<T> smaller) {
    this.smaller = smaller;
  }

  /** Whether no item is as fast and as cheap, except an equal one. */
  public boolean accepts(double completionS, double costUsd) {
    int rival = countWithin(completionS) - 1;
    return rival < 0
        || costsUsd[rival] > costUsd + TimeAndCost.TOLERANCE
        || isSame(rival, completionS, costUsd);
  }

  private boolean isSame(int rival, double completionS, double costUsd) {
    return Math.abs(costsUsd[rival] - costUsd) <= TimeAndCost.TOLERANCE
        && Math.abs(timesS[rival] - completionS) <= TimeAndCost.TOLERANCE;
  }

  /** Adds {@code item} if no other is as good; removes the items that it dominates. */
  public boolean add(T item) {
    double completionS = item.completionS();
    double costUsd = item.costUsd();
    if (!accepts(completionS, costUsd)) {
      return false;
    }
    int rival = countWithin(completionS) - 1;
    if (rival >= 0
        && isSame(rival, completionS, costUsd)
        && smaller.compare(items.get(rival), item) <= 0) {
      return false;
    }
    int from = before(completionS - TimeAndCost.TOLERANCE);
    int to = from;
    while (to < items.size() && costsUsd[to] >= costUsd - TimeAndCost.TOLERANCE) {
      to++;
    }
    put(item, from, to);
    return true;
  }

  /** Replaces the items of a range by {@code item}. */
  private void put(T item, int from, int to) {
    int rest = items.size() - to;
    if (items.size() == timesS.length) {
      timesS = Arrays.copyOf(timesS, 2 * timesS.length);
      costsUsd = Arrays.copyOf(costsUsd, 2 * costsUsd.length);
    }
    System.arraycopy(timesS, to, timesS, from + 1, rest);
    System.arraycopy(costsUsd, to, costsUsd, from + 1, rest);
    timesS[from] = item.completionS();
    costsUsd[from] = item.costUsd();
    items.subList(from, to).clear();
    items.add(from, item);
  }

  /** Returns how many items take at most {@code deadlineS}. */
  public int countWithin(double deadlineS) {
    return before(Math.nextUp(deadlineS + TimeAndCost.TOLERANCE));
  }

  /** Returns how many items take less than {@code seconds}. */
  private int before(double seconds) {
    int low = 0;
    int high = items.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timesS[middle] < seconds) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Seconds of an item; the fastest has place 0. */
  public double completionS(int place) {
    return timesS[place];
  }

  /** Dollars of an item; the fastest has place 0. */
  public double costUsd(int place) {
    return costsUsd[place];
  }

  /** Returns the cheapest item that takes at most {@code deadlineS}. */
  public Optional<T> cheapestWithin(double deadlineS) {
    int count = countWithin(deadlineS);
    return count == 0 ? Optional.empty() : Optional.of(items.get(count - 1));
  }

  /** Returns the fastest item. */
  public Optional<T> fastest() {
    return items.stream().findFirst();
  }

  /** Returns all items, the fastest first and so the cheapest last. */
  public List<T> items() {
    return List.copyOf(items);
  }

  public void addAll(Collection<T> items) {
    items.forEach(this::add);
  }
}
