package io.elastune.planner.evaluate;

import io.elastune.planner.model.TimeAndCost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The plans of a re-plan that are worth samples, of those that a search has found: only plans that
 * no other one beats in time and cost.
 *
 * @param byS times that plans should meet, in the numbers of the search
 * @param withinUsd cost that plans should not exceed
 * @param most how many are sampled, at least one
 */
public record Finalists(List<Double> byS, double withinUsd, int most) {
  public Finalists {
    byS = List.copyOf(byS);
  }

  /**
   * Returns the finalists: the cheapest plan that ends by each of the times, those next to it, the
   * fastest within the cost, the fastest and the cheapest of all, and some of the others.
   *
   * @param found of plans with equal times and costs, the first one counts
   */
  public <T extends TimeAndCost> List<T> of(Collection<T> found) {
    List<T> front = new ArrayList<>();
    found.stream()
        .sorted(
            Comparator.comparingDouble(TimeAndCost::completionS)
                .thenComparingDouble(TimeAndCost::costUsd))
        .filter(it -> front.isEmpty() || it.costUsd() < front.get(front.size() - 1).costUsd())
        .forEach(front::add);
    int last = front.size() - 1;
    List<Integer> places = new ArrayList<>();
    byS.forEach(limitS -> places.add(cheapestBy(front, limitS)));
    places.add(fastestWithin(front));
    byS.forEach(
        limitS -> {
          places.add(Math.max(0, cheapestBy(front, limitS) - 1));
          places.add(Math.min(last, cheapestBy(front, limitS) + 1));
        });
    places.add(0);
    places.add(last);
    for (int i = 1; i < most; i++) {
      places.add(i * last / most);
    }
    Set<T> finalists = new LinkedHashSet<>();
    for (int i = 0; i < places.size() && last >= 0 && finalists.size() < most; i++) {
      finalists.add(front.get(places.get(i)));
    }
    return List.copyOf(finalists);
  }

  private static <T extends TimeAndCost> int cheapestBy(List<T> front, double limitS) {
    long onTime = front.stream().filter(it -> it.completionS() <= limitS).count();
    return (int) Math.max(0, onTime - 1);
  }

  /** If none is within the cost, the cheapest. */
  private <T extends TimeAndCost> int fastestWithin(List<T> front) {
    long beyond = front.stream().filter(it -> it.costUsd() > withinUsd).count();
    return (int) Math.min(front.size() - 1L, beyond);
  }
}
