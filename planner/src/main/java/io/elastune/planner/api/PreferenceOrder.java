package io.elastune.planner.api;

import io.elastune.core.job.Preference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Orders plans that meet the limits, the preferred one first. docs/planner.md explains the rules.
 */
public final class PreferenceOrder<T> {
  /** Fewer plans have no compromise. */
  private static final int FEWEST_BALANCED = 3;

  private final ToDoubleFunction<T> seconds;
  private final ToDoubleFunction<T> usd;
  private final Preference preference;
  private final boolean hasDeadline;

  /**
   * Creates the order.
   *
   * @param seconds the mean completion time of a plan
   * @param usd its mean cost
   * @param hasDeadline whether the plans have a deadline to meet
   */
  public PreferenceOrder(
      ToDoubleFunction<T> seconds,
      ToDoubleFunction<T> usd,
      Preference preference,
      boolean hasDeadline) {
    this.seconds = seconds;
    this.usd = usd;
    this.preference = preference;
    this.hasDeadline = hasDeadline;
  }

  /** Returns the plans, the preferred one first. */
  public List<T> of(List<T> plans) {
    Comparator<T> cheapest = Comparator.comparingDouble(usd).thenComparingDouble(seconds);
    Comparator<T> fastest = Comparator.comparingDouble(seconds).thenComparingDouble(usd);
    return switch (preference.rule()) {
      case CHEAPEST -> sorted(plans, cheapest);
      case FASTEST -> sorted(plans, fastest);
      case HOUR_WORTH ->
          sorted(
              plans,
              Comparator.comparingDouble(
                  (T plan) ->
                      preference.valueUsd(seconds.applyAsDouble(plan), usd.applyAsDouble(plan))));
      case BALANCED ->
          plans.size() < FEWEST_BALANCED
              ? sorted(plans, cheapest)
              : balanced(sorted(plans, fastest));
    };
  }

  private static <T> List<T> sorted(List<T> plans, Comparator<T> order) {
    return plans.stream().sorted(order).toList();
  }

  /**
   * With a deadline, by the gain over the cheapest plan. Without one, by the gain over the fastest
   * plan. If nothing gains over that, by the gain over the cheapest plan, and if nothing gains over
   * that either, the ends come last: time and cost change in proportion.
   */
  private List<T> balanced(List<T> fastestFirst) {
    T fastest = fastestFirst.get(0);
    T cheapest =
        sorted(fastestFirst, Comparator.comparingDouble(usd).thenComparingDouble(seconds)).get(0);
    List<T> overCheapest = sorted(fastestFirst, byGain(cheapest, true));
    if (hasDeadline || fastest == cheapest) {
      return overCheapest;
    }
    List<T> overFastest = sorted(fastestFirst, byGain(fastest, false));
    if (overFastest.get(0) != fastest) {
      return overFastest;
    }
    if (overCheapest.get(0) != cheapest) {
      return overCheapest;
    }
    List<T> inner = new ArrayList<>(overCheapest);
    inner.removeIf(plan -> plan == fastest || plan == cheapest);
    inner.add(cheapest);
    inner.add(fastest);
    return inner;
  }

  private Comparator<T> byGain(T reference, boolean savesTime) {
    double referenceS = seconds.applyAsDouble(reference);
    double referenceUsd = usd.applyAsDouble(reference);
    return Comparator.comparingDouble(
            (T plan) -> {
              double s = seconds.applyAsDouble(plan);
              double cost = usd.applyAsDouble(plan);
              return savesTime
                  ? Knee.gain(s, cost, referenceS, referenceUsd)
                  : Knee.gain(cost, s, referenceUsd, referenceS);
            })
        .reversed()
        .thenComparingDouble(usd);
  }
}
