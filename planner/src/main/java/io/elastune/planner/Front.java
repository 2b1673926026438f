package io.elastune.planner;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The Pareto set of time against money of what was offered to it. */
final class Front<T extends Timed> {
  private final TreeMap<Double, T> byTime = new TreeMap<>();
  private final Comparator<T> smaller;

  /**
   * @param smaller which of two that take and cost the same to keep: the first
   */
  Front(Comparator<T> smaller) {
    this.smaller = smaller;
  }

  /** Whether nothing here is as fast and as cheap, or only its equal. */
  boolean wants(double completionS, double costUsd) {
    Map.Entry<Double, T> rival = byTime.floorEntry(completionS + Timed.SAME);
    return rival == null
        || rival.getValue().costUsd() > costUsd + Timed.SAME
        || same(rival.getValue(), completionS, costUsd);
  }

  private static boolean same(Timed rival, double completionS, double costUsd) {
    return Math.abs(rival.costUsd() - costUsd) <= Timed.SAME
        && Math.abs(rival.completionS() - completionS) <= Timed.SAME;
  }

  /** Keeps {@code item} if nothing here is as good; drops what it makes needless. */
  boolean add(T item) {
    if (!wants(item.completionS(), item.costUsd())) {
      return false;
    }
    Map.Entry<Double, T> rival = byTime.floorEntry(item.completionS() + Timed.SAME);
    if (rival != null
        && same(rival.getValue(), item.completionS(), item.costUsd())
        && smaller.compare(rival.getValue(), item) <= 0) {
      return false;
    }
    byTime
        .tailMap(item.completionS() - Timed.SAME, true)
        .values()
        .removeIf(other -> other.costUsd() >= item.costUsd() - Timed.SAME);
    byTime.put(item.completionS(), item);
    return true;
  }

  /** The cheapest that takes at most {@code deadlineS}. */
  Optional<T> cheapestBy(double deadlineS) {
    return Optional.ofNullable(byTime.floorEntry(deadlineS + Timed.SAME)).map(Map.Entry::getValue);
  }

  /** All that take at most {@code deadlineS}, the slowest first. */
  Collection<T> slowestFirst(double deadlineS) {
    return byTime.headMap(deadlineS + Timed.SAME, true).descendingMap().values();
  }

  /** The fastest of all. */
  Optional<T> fastest() {
    return Optional.ofNullable(byTime.firstEntry()).map(Map.Entry::getValue);
  }

  /** All, the fastest first, so the cheapest last. */
  List<T> items() {
    return List.copyOf(byTime.values());
  }

  void addAll(Collection<T> items) {
    items.forEach(this::add);
  }
}
