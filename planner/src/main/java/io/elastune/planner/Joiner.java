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
 * Plans for all chains from plans of each: for a common deadline every chain takes its cheapest; if
 * those hold too many instances together, the instances are dealt out so that the sum costs least.
 * What the chains hold together is counted as the sum of their peaks.
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
    double[] alone = times(pools.stream().flatMap(pool -> pool.all().items().stream()));
    some(alone, 0).forEach(deadlineS -> join(pools, deadlineS).ifPresent(front::add));
    if (coupled) {
      // Plans that others beat count, too, for they may hold less of what is shared.
      double[] all =
          pools.stream().flatMapToDouble(Pool::completionsS).distinct().sorted().toArray();
      some(all, soonest(pools, all))
          .forEach(deadlineS -> join(pools, deadlineS).ifPresent(front::add));
    }
    join(pools, alsoS).ifPresent(front::add);
    if (clockUsdPerS > 0) {
      // What is paid by the hour may make an earlier common end the cheapest.
      ends(pools, alsoS).forEach(endS -> join(pools, endS).ifPresent(front::add));
    }
    return front;
  }

  private DoubleStream ends(List<Pool> pools, double untilS) {
    return pools.stream()
        .flatMapToDouble(Pool::completionsS)
        .filter(endS -> endS <= untilS)
        .distinct()
        .limit(parameters.commonEnds());
  }

  private static double[] times(Stream<Draft> drafts) {
    return drafts.mapToDouble(Draft::completionS).distinct().sorted().toArray();
  }

  /** The place of the first deadline that all chains together can keep. */
  private int soonest(List<Pool> pools, double[] deadlinesS) {
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

  /** A few of some deadlines in ascending order, the first and the last among them. */
  private DoubleStream some(double[] deadlinesS, int from) {
    int last = deadlinesS.length - 1;
    int step = Math.max(1, (last - from) / parameters.commonDeadlines());
    return IntStream.rangeClosed(from, last)
        .filter(place -> (place - from) % step == 0 || place == last)
        .mapToDouble(place -> deadlinesS[place]);
  }

  /** The cheapest that takes at most {@code deadlineS}. */
  Optional<Outline> join(List<Pool> pools, double deadlineS) {
    @Nullable List<Draft> drafts = deal(pools, deadlineS, limits.maxInstances());
    if (drafts == null) {
      return Optional.empty();
    }
    if (!keepsPriceAndQuotas(drafts)) {
      coupled = true;
      return new Packing(limits, parameters).best(pools, deadlineS).map(this::outline);
    }
    return Optional.of(outline(drafts));
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
