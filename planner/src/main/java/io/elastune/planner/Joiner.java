package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Plans for all chains from plans of each: for a common deadline every chain takes its cheapest; if
 * those hold too many instances together, the instances are dealt out so that the sum costs least.
 * What the chains hold together is counted as the sum of their peaks.
 */
final class Joiner {
  /** Common deadlines that are tried. */
  private static final int DEADLINES = 48;

  /** Common ends that are tried where every second of the job costs something. */
  private static final int ENDS = 500;

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
    if (clockUsdPerS > 0) {
      // What is paid by the hour may make an earlier common end the cheapest.
      ends(pools, alsoS).forEach(endS -> join(pools, endS).ifPresent(front::add));
    }
    return front;
  }

  private static DoubleStream ends(List<Pool> pools, double untilS) {
    return pools.stream()
        .flatMapToDouble(Pool::completionsS)
        .filter(endS -> endS <= untilS)
        .distinct()
        .limit(ENDS);
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
    Dealing dealing =
        Dealing.best(
            pools.size(),
            cap,
            (chain, own) ->
                pools
                    .get(chain)
                    .cheapestBy(deadlineS, own)
                    .map(Draft::costUsd)
                    .orElse(Double.POSITIVE_INFINITY));
    if (Double.isInfinite(dealing.usd())) {
      return null;
    }
    List<Draft> drafts = new ArrayList<>();
    for (int chain = 0; chain < pools.size(); chain++) {
      pools.get(chain).cheapestBy(deadlineS, dealing.caps()[chain]).ifPresent(drafts::add);
    }
    return drafts;
  }
}
