package io.elastune.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The Pareto set of time against money of what was offered to it: the fastest first, each slower
 * and cheaper than the one before. In arrays, for searches ask it at every step.
 */
final class Front<T extends Timed> {
  private final List<T> items = new ArrayList<>();
  private double[] timesS = new double[16];
  private double[] costsUsd = new double[16];
  private final Comparator<T> smaller;

  /**
   * @param smaller which of two that take and cost the same to keep: the first
   */
  Front(Comparator<T> smaller) {
    this.smaller = smaller;
  }

  /** Whether nothing here is as fast and as cheap, or only its equal. */
  boolean wants(double completionS, double costUsd) {
    int rival = by(completionS) - 1;
    return rival < 0
        || costsUsd[rival] > costUsd + Timed.SAME
        || isSame(rival, completionS, costUsd);
  }

  private boolean isSame(int rival, double completionS, double costUsd) {
    return Math.abs(costsUsd[rival] - costUsd) <= Timed.SAME
        && Math.abs(timesS[rival] - completionS) <= Timed.SAME;
  }

  /** Keeps {@code item} if nothing here is as good; drops what it makes needless. */
  boolean add(T item) {
    double completionS = item.completionS();
    double costUsd = item.costUsd();
    if (!wants(completionS, costUsd)) {
      return false;
    }
    int rival = by(completionS) - 1;
    if (rival >= 0
        && isSame(rival, completionS, costUsd)
        && smaller.compare(items.get(rival), item) <= 0) {
      return false;
    }
    int from = before(completionS - Timed.SAME);
    int to = from;
    while (to < items.size() && costsUsd[to] >= costUsd - Timed.SAME) {
      to++;
    }
    put(item, from, to);
    return true;
  }

  /** Puts {@code item} in the place of those from {@code from} to {@code to}. */
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

  /** How many take at most {@code deadlineS}. */
  int by(double deadlineS) {
    return before(Math.nextUp(deadlineS + Timed.SAME));
  }

  /** How many take less than {@code seconds}. */
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

  /** Seconds of number {@code place}, the fastest being 0. */
  double completionS(int place) {
    return timesS[place];
  }

  /** Dollars of number {@code place}, the fastest being 0. */
  double costUsd(int place) {
    return costsUsd[place];
  }

  /** The cheapest that takes at most {@code deadlineS}. */
  Optional<T> cheapestBy(double deadlineS) {
    int count = by(deadlineS);
    return count == 0 ? Optional.empty() : Optional.of(items.get(count - 1));
  }

  /** The fastest of all. */
  Optional<T> fastest() {
    return items.stream().findFirst();
  }

  /** All, the fastest first, so the cheapest last. */
  List<T> items() {
    return List.copyOf(items);
  }

  void addAll(Collection<T> items) {
    items.forEach(this::add);
  }
}
