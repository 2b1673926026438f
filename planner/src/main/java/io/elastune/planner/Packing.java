package io.elastune.planner;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Selects a plan for each of several chains so that all of them together stay within the limits on
 * instances, dollars per hour and quotas, and cost least. Chain by chain, it retains the selections
 * that no other one dominates; of very many only the cheapest and those that leave most for the
 * later chains.
 */
final class Packing {
  private final Limits limits;
  private final SearchParameters.Combination parameters;
  private final double[] most;

  /** Plans for the first chains, their total cost, and their use of every limit. */
  @SuppressWarnings("ArrayRecordComponent") // only read; nothing compares these
  private record Choice(List<Draft> drafts, double costUsd, double[] uses) {
    Choice with(Draft draft, double[] more) {
      List<Draft> all = new ArrayList<>(drafts);
      all.add(draft);
      double[] sum = uses.clone();
      for (int limit = 0; limit < sum.length; limit++) {
        sum[limit] += more[limit];
      }
      return new Choice(all, costUsd + draft.costUsd(), sum);
    }

    boolean dominates(Choice other) {
      boolean all = costUsd <= other.costUsd;
      for (int limit = 0; all && limit < uses.length; limit++) {
        all = uses[limit] <= other.uses[limit] + Timed.SAME;
      }
      return all;
    }
  }

  Packing(Limits limits, SearchParameters.Combination parameters) {
    this.parameters = parameters;
    this.limits = limits;
    this.most =
        Stream.concat(
                Stream.of((double) limits.maxInstances(), limits.maxUsdPerHour()),
                limits.quotas().stream().map(quota -> (double) quota.limit()))
            .mapToDouble(Double::doubleValue)
            .toArray();
  }

  /** Returns the cheapest selection of plans that all take at most {@code deadlineS}. */
  Optional<List<Draft>> best(List<Pool> pools, double deadlineS) {
    List<List<Choice>> each =
        pools.stream().map(pool -> undominated(own(pool, deadlineS).toList())).toList();
    if (each.stream().anyMatch(List::isEmpty)) {
      return Optional.empty();
    }
    List<Choice> choices = List.of(new Choice(List.of(), 0, new double[most.length]));
    for (int chain = 0; chain < each.size(); chain++) {
      double[] left = leftFor(each.subList(chain + 1, each.size()));
      List<Choice> next = new ArrayList<>();
      for (Choice choice : choices) {
        for (Choice own : each.get(chain)) {
          Choice both = choice.with(own.drafts().get(0), own.uses());
          if (fits(both, left)) {
            next.add(both);
          }
        }
      }
      choices = few(undominated(next));
    }
    return choices.stream().min(Comparator.comparingDouble(Choice::costUsd)).map(Choice::drafts);
  }

  private Stream<Choice> own(Pool pool, double deadlineS) {
    return pool.kinds(deadlineS, limits.maxInstances()).stream()
        .map(draft -> new Choice(List.of(draft), draft.costUsd(), uses(draft)));
  }

  private double[] uses(Draft draft) {
    double[] uses = new double[most.length];
    uses[0] = draft.peak();
    uses[1] = draft.peak(Offer::usdPerHour);
    for (int limit = 2; limit < uses.length; limit++) {
      Quota quota = limits.quotas().get(limit - 2);
      uses[limit] = draft.peak(offer -> quota.use(offer.name()));
    }
    return uses;
  }

  /** Returns what may be used now so that each later chain has the least that it needs. */
  private double[] leftFor(List<List<Choice>> later) {
    double[] left = most.clone();
    for (List<Choice> own : later) {
      for (int limit = 0; limit < left.length; limit++) {
        int of = limit;
        left[limit] -= own.stream().mapToDouble(choice -> choice.uses()[of]).min().orElse(0);
      }
    }
    return left;
  }

  private static boolean fits(Choice choice, double[] left) {
    boolean all = true;
    for (int limit = 0; all && limit < left.length; limit++) {
      all = choice.uses()[limit] <= left[limit] + Timed.SAME;
    }
    return all;
  }

  /** Returns the selections that no other one dominates, the cheapest first. */
  private static List<Choice> undominated(List<Choice> choices) {
    List<Choice> sorted = new ArrayList<>(choices);
    sorted.sort(
        Comparator.comparingDouble(Choice::costUsd)
            .thenComparingDouble(choice -> Arrays.stream(choice.uses()).sum()));
    List<Choice> kept = new ArrayList<>();
    for (Choice choice : sorted) {
      if (kept.stream().noneMatch(known -> known.dominates(choice))) {
        kept.add(choice);
      }
    }
    return kept;
  }

  private List<Choice> few(List<Choice> choices) {
    if (choices.size() <= parameters.widthSelections()) {
      return choices;
    }
    Stream<Choice> thrifty =
        choices.stream()
            .sorted(Comparator.comparingDouble(this::fullest))
            .limit(parameters.widthSelections() / 2);
    return Stream.concat(choices.stream().limit(parameters.widthSelections() / 2), thrifty)
        .distinct()
        .toList();
  }

  /** The used part of the limit that is used most. */
  private double fullest(Choice choice) {
    double fullest = 0;
    for (int limit = 0; limit < most.length; limit++) {
      fullest = Math.max(fullest, choice.uses()[limit] / Math.max(1e-9, most[limit]));
    }
    return fullest;
  }
}
