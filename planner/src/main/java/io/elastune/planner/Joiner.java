package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Combines plans of single chains into plans for all chains: for a common deadline every chain
 * takes its cheapest plan; if these hold too many instances together, the instances are split so
 * that the sum costs least. The instances that chains hold together are counted as the sum of their
 * peaks.
 */
final class Joiner {
  private final Limits limits;
  private final double clockUsdPerS;
  private final SearchParameters.Combination parameters;
  private boolean coupled;

  Joiner(Limits limits, double clockUsdPerS, SearchParameters.Combination parameters) {
    this.parameters = parameters;
    this.limits = limits;
    this.clockUsdPerS = clockUsdPerS;
  }

  /** Whether a shared limit prevented a chain from using its own best plan. */
  boolean isCoupled() {
    return coupled;
  }

  /**
   * Returns the frontier of all chains together.
   *
   * @param alsoS a common deadline that is always included
   */
  Front<Outline> frontier(List<Pool> pools, double alsoS) {
    Front<Outline> front = new Front<>(Outline::smaller);
    if (pools.size() == 1) {
      for (Draft draft : pools.get(0).all().items()) {
        front.add(new Outline(List.of(draft), draft.completionS(), draft.costUsd()));
      }
      return front;
    }
    double[] alone = times(pools.stream().flatMap(pool -> pool.all().items().stream()));
    sampled(alone, 0).forEach(deadlineS -> join(pools, deadlineS).ifPresent(front::add));
    if (coupled) {
      // Dominated plans count too, since they may hold less of what is shared.
      double[] all =
          pools.stream().flatMapToDouble(Pool::completionsS).distinct().sorted().toArray();
      sampled(all, firstFeasible(pools, all))
          .forEach(deadlineS -> join(pools, deadlineS).ifPresent(front::add));
    }
    join(pools, alsoS).ifPresent(front::add);
    if (clockUsdPerS > 0) {
      // Because of hourly costs an earlier common end may be the cheapest.
      commonEnds(pools, alsoS).forEach(endS -> join(pools, endS).ifPresent(front::add));
    }
    return front;
  }

  private DoubleStream commonEnds(List<Pool> pools, double untilS) {
    return pools.stream()
        .flatMapToDouble(Pool::completionsS)
        .filter(endS -> endS <= untilS)
        .distinct()
        .limit(parameters.commonEnds());
  }

  private static double[] times(Stream<Draft> drafts) {
    return drafts.mapToDouble(Draft::completionS).distinct().sorted().toArray();
  }

  /** The index of the first deadline that all chains together can meet. */
  private int firstFeasible(List<Pool> pools, double[] deadlinesS) {
    int low = 0;
    int high = deadlinesS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (join(pools, deadlinesS[middle]).isPresent()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns a few of some deadlines in ascending order, including the first and the last. */
  private DoubleStream sampled(double[] deadlinesS, int from) {
    int last = deadlinesS.length - 1;
    int step = Math.max(1, (last - from) / parameters.commonDeadlines());
    return IntStream.rangeClosed(from, last)
        .filter(place -> (place - from) % step == 0 || place == last)
        .mapToDouble(place -> deadlinesS[place]);
  }

  /** Returns the cheapest combination that takes at most {@code deadlineS}. */
  Optional<Outline> join(List<Pool> pools, double deadlineS) {
    @Nullable List<Draft> drafts = split(pools, deadlineS, limits.maxInstances());
    if (drafts == null) {
      return Optional.empty();
    }
    if (!isWithinPriceAndQuotas(drafts)) {
      coupled = true;
      return new Packing(limits, parameters).best(pools, deadlineS).map(this::outline);
    }
    return Optional.of(outline(drafts));
  }

  private boolean isWithinPriceAndQuotas(List<Draft> drafts) {
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

  /**
   * Returns {@code outline} with another plan for one chain, if all together stay within the
   * limits.
   */
  Optional<Outline> replaced(Outline outline, int chain, Draft draft) {
    List<Draft> drafts = new ArrayList<>(outline.drafts());
    drafts.set(chain, draft);
    boolean few = drafts.stream().mapToInt(Draft::peak).sum() <= limits.maxInstances();
    return few && isWithinPriceAndQuotas(drafts) ? Optional.of(outline(drafts)) : Optional.empty();
  }

  private Outline outline(List<Draft> drafts) {
    double completionS = drafts.stream().mapToDouble(Draft::completionS).max().orElse(0);
    double costUsd = drafts.stream().mapToDouble(Draft::costUsd).sum();
    double meanS = drafts.stream().mapToDouble(Draft::meanS).max().orElse(0);
    return new Outline(drafts, completionS, costUsd + meanS * clockUsdPerS);
  }

  /** The cheapest plans that hold at most {@code cap} instances together. */
  private @Nullable List<Draft> split(List<Pool> pools, double deadlineS, int cap) {
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
