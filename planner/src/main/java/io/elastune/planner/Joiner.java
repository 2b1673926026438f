package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans for all chains from plans of each: for a common deadline every chain takes its cheapest; if
 * those hold too many instances together, the instances are dealt out so that the sum costs least.
 * What the chains hold together is counted as the sum of their peaks.
 */
final class Joiner {
  /** Common deadlines that are tried. */
  private static final int DEADLINES = 48;

  private final Limits limits;
  private final double clockUsdPerS;
  private boolean coupled;

  Joiner(Limits limits, double clockUsdPerS) {
    this.limits = limits;
    this.clockUsdPerS = clockUsdPerS;
  }

  /** Whether a shared limit kept a chain from its own best plan. */
  boolean isCoupled() {
    return coupled;
  }

  /**
   * The frontier of all chains together.
   *
   * @param alsoS a common deadline not to be left out
   */
  Front<Outline> frontier(List<Pool> pools, double alsoS) {
    Front<Outline> front = new Front<>(Outline::smaller);
    if (pools.size() == 1) {
      for (Draft draft : pools.get(0).all().items()) {
        front.add(new Outline(List.of(draft), draft.completionS(), draft.costUsd()));
      }
      return front;
    }
    for (double deadlineS : deadlines(pools)) {
      join(pools, deadlineS).ifPresent(front::add);
    }
    join(pools, alsoS).ifPresent(front::add);
    return front;
  }

  private static List<Double> deadlines(List<Pool> pools) {
    TreeSet<Double> all = new TreeSet<>();
    pools.forEach(pool -> pool.all().items().forEach(draft -> all.add(draft.completionS())));
    List<Double> sorted = List.copyOf(all);
    List<Double> some = new ArrayList<>();
    int step = Math.max(1, sorted.size() / DEADLINES);
    for (int i = 0; i < sorted.size(); i += step) {
      some.add(sorted.get(i));
    }
    some.add(sorted.get(sorted.size() - 1));
    return some;
  }

  /** The cheapest that takes at most {@code deadlineS}. */
  Optional<Outline> join(List<Pool> pools, double deadlineS) {
    for (int cap = limits.maxInstances(); cap >= pools.size(); cap--) {
      @Nullable List<Draft> drafts = deal(pools, deadlineS, cap);
      if (drafts == null) {
        return Optional.empty();
      }
      if (keepsPriceAndQuotas(drafts)) {
        return Optional.of(outline(drafts));
      }
      coupled = true;
      cap = Math.min(cap, drafts.stream().mapToInt(Draft::peak).sum());
    }
    return Optional.empty();
  }

  private boolean keepsPriceAndQuotas(List<Draft> drafts) {
    double usdPerHour = drafts.stream().mapToDouble(d -> d.peak(Offer::usdPerHour)).sum();
    return usdPerHour <= limits.maxUsdPerHour() + Timed.SAME
        && limits.quotas().stream()
            .allMatch(
                quota ->
                    drafts.stream()
                            .mapToDouble(draft -> draft.peak(offer -> quota.use(offer.name())))
                            .sum()
                        <= quota.limit());
  }

  /** {@code outline} with another plan for one chain, if all together keep the limits. */
  Optional<Outline> replaced(Outline outline, int chain, Draft draft) {
    List<Draft> drafts = new ArrayList<>(outline.drafts());
    drafts.set(chain, draft);
    boolean few = drafts.stream().mapToInt(Draft::peak).sum() <= limits.maxInstances();
    return few && keepsPriceAndQuotas(drafts) ? Optional.of(outline(drafts)) : Optional.empty();
  }

  private Outline outline(List<Draft> drafts) {
    double completionS = drafts.stream().mapToDouble(Draft::completionS).max().orElse(0);
    double costUsd = drafts.stream().mapToDouble(Draft::costUsd).sum();
    double meanS = drafts.stream().mapToDouble(Draft::meanS).max().orElse(0);
    return new Outline(drafts, completionS, costUsd + meanS * clockUsdPerS);
  }

  /** The cheapest drafts that hold at most {@code cap} instances together. */
  private @Nullable List<Draft> deal(List<Pool> pools, double deadlineS, int cap) {
    List<Draft> free = new ArrayList<>();
    for (Pool pool : pools) {
      pool.cheapestBy(deadlineS, cap).ifPresent(free::add);
    }
    if (free.size() < pools.size()) {
      return null;
    }
    if (free.stream().mapToInt(Draft::peak).sum() <= cap) {
      return free;
    }
    coupled = true;
    return share(pools, deadlineS, cap);
  }

  /** A knapsack: the least cost of the first chains on c instances, for every c. */
  private static @Nullable List<Draft> share(List<Pool> pools, double deadlineS, int cap) {
    double[] least = new double[cap + 1];
    Draft[][] chosen = new Draft[pools.size()][cap + 1];
    for (int chain = 0; chain < pools.size(); chain++) {
      double[] with = new double[cap + 1];
      Arrays.fill(with, Double.POSITIVE_INFINITY);
      for (int own = 1; own <= cap; own++) {
        Optional<Draft> draft = pools.get(chain).cheapestBy(deadlineS, own);
        if (draft.isPresent() && draft.get().peak() == own) {
          for (int c = own; c <= cap; c++) {
            double cost = least[c - own] + draft.get().costUsd();
            if (cost < with[c]) {
              with[c] = cost;
              chosen[chain][c] = draft.get();
            }
          }
        }
      }
      least = with;
    }
    return Double.isInfinite(least[cap]) ? null : traceBack(chosen, cap);
  }

  private static List<Draft> traceBack(Draft[][] chosen, int cap) {
    List<Draft> drafts = new ArrayList<>();
    int left = cap;
    for (int chain = chosen.length - 1; chain >= 0; chain--) {
      drafts.add(0, chosen[chain][left]);
      left -= chosen[chain][left].peak();
    }
    return drafts;
  }
}
