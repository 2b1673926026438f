package io.elastune.core.search;

import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.PbtOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.PopulationRule;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntToLongFunction;

/** Converts a search into its trial groups (docs/model.md, "Searches as trial groups"). */
public final class TrialGroups {
  private TrialGroups() {}

  /**
   * Returns the workload of {@code search}.
   *
   * @throws IllegalArgumentException if a grid has a dimension without a finite set of values, or
   *     if the number of trials overflows
   */
  public static Workload of(Search search) {
    Optional<Double> target = search.stop().flatMap(SearchStop::target);
    return withoutTarget(search)
        .withTarget(target.map(OptionalDouble::of).orElse(OptionalDouble.empty()));
  }

  private static Workload withoutTarget(Search search) {
    return switch (search.algorithm()) {
      case SHA -> single(sha(search));
      case ASHA -> Workload.of(rungs(search));
      case HYPERBAND -> brackets(search);
      case PBT -> population(search);
      case RANDOM -> oneGroup(SpaceSize.limited(search, search.trials()), search.resource());
      case GRID -> oneGroup(grid(search), search.resource());
    };
  }

  private static int grid(Search search) {
    return search.drawsWithReplacement()
        ? ConfigurationGrid.withEqualValues(search.space()).size()
        : Math.multiplyExact(new ConfigurationGrid(search.space()).size(), search.repeat());
  }

  /** Returns groups of equal size that are compared after each {@code resource.min} units. */
  private static Workload population(Search search) {
    int interval = search.resource().min();
    int max = search.resource().max();
    List<TrialGroup> groups = new ArrayList<>();
    for (int from = 0; from < max; from = groups.get(groups.size() - 1).toUnit()) {
      int to = (int) Math.min((long) from + interval, max);
      groups.add(new TrialGroup(Integer.toString(groups.size() + 1), search.trials(), from, to));
    }
    double quantile = search.pbt().orElse(PbtOptions.DEFAULT).quantile();
    return Workload.of(new Chain("", groups), new PopulationRule(quantile, search.seed()));
  }

  private static RungRule rungs(Search search) {
    AshaOptions options = search.asha().orElse(AshaOptions.DEFAULT);
    return new RungRule(
        rungTargets(search.resource(), search.eta(), options.startRung()),
        SpaceSize.limited(search, search.trials()),
        search.eta(),
        options.variant(),
        options.finish() == AshaOptions.Finish.BEST,
        optional(options.concurrency()),
        optional(search.stop().flatMap(SearchStop::trained)),
        false,
        options.brackets(),
        search.stop().flatMap(SearchStop::time));
  }

  private static OptionalInt optional(Optional<Integer> value) {
    return value.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /**
   * Returns the units at which the trials of each rung are compared: each {@code eta} times those
   * of the rung before, up to the maximum. A search needs at least two, which differ. A number of
   * rungs is counted from the maximum down: {@code max(1, max/eta^i)}, rounded down.
   *
   * @param startRung targets that are left out at the start
   */
  public static List<Integer> rungTargets(TrainingResource resource, int eta, int startRung) {
    List<Integer> targets = new ArrayList<>();
    if (resource.rungs().isPresent()) {
      for (int above = resource.rungs().getAsInt() - 1 - startRung; above >= 0; above--) {
        long reduction = saturatedPower(1, eta, above, resource.max());
        targets.add((int) Math.max(1, resource.max() / reduction));
      }
      return targets;
    }
    int last = 0;
    for (int k = startRung; last < resource.max(); k++) {
      last = (int) saturatedPower(resource.min(), eta, k, resource.max());
      targets.add(last);
    }
    return targets;
  }

  private static Workload single(Chain chain) {
    return new Workload(List.of(chain));
  }

  private static Workload oneGroup(int trials, TrainingResource trainingResource) {
    return single(new Chain("", List.of(new TrialGroup("1", trials, 0, trainingResource.max()))));
  }

  private static Chain sha(Search search) {
    TrainingResource trainingResource = search.resource();
    return sha(
        "",
        SpaceSize.limited(search, search.trials()),
        search.eta(),
        trainingResource.max(),
        k -> saturatedPower(trainingResource.min(), search.eta(), k, trainingResource.max()));
  }

  /** Returns {@code first * base^exponent}, but at most {@code most}. */
  private static long saturatedPower(long first, int base, int exponent, long most) {
    long value = first;
    for (int i = 0; i < exponent && value < most; i++) {
      value *= base;
    }
    return Math.min(value, most);
  }

  /**
   * Returns the chain of successive halving.
   *
   * @param target the units at which the trials of group {@code k} = 0, 1, … are compared, capped
   *     at {@code max}
   */
  private static Chain sha(String name, int trials, int eta, int max, IntToLongFunction target) {
    List<TrialGroup> groups = new ArrayList<>();
    int alive = trials;
    int behind = 0;
    while (behind < max) {
      int to = alive == 1 ? max : (int) Math.min(target.applyAsLong(groups.size()), max);
      String number = Integer.toString(groups.size() + 1);
      groups.add(new TrialGroup(name.isEmpty() ? number : name + "." + number, alive, behind, to));
      alive = Math.max(1, alive / eta);
      behind = to;
    }
    return new Chain(name, groups);
  }

  private static Workload brackets(Search search) {
    Workload concurrent = hyperband(search);
    return search.hasSequentialBrackets() ? single(new Chain("", concurrent.groups())) : concurrent;
  }

  /**
   * Returns the brackets s_max … 0, each a successive halving. All arithmetic uses integers,
   * because floating-point logarithms give wrong floors, for example at 243 and 1000. If the
   * reduction does not divide the maximum, the target of a group is rounded down. Bracket s
   * therefore has s + 1 groups. If the configurations of a finite space do not suffice, the first
   * brackets have them, and those without a trial are left out.
   */
  private static Workload hyperband(Search search) {
    TrainingResource trainingResource = search.resource();
    int eta = search.eta();
    int most = 0;
    for (long power = eta; trainingResource.min() * power <= trainingResource.max(); power *= eta) {
      most++;
    }
    List<Integer> sizes = new ArrayList<>();
    int left = SpaceSize.limited(search, Integer.MAX_VALUE);
    for (int s = most; s >= 0 && left > 0; s--) {
      long reduction = saturatedPower(1, eta, s, trainingResource.max());
      int trials = Math.toIntExact(((most + 1) * reduction + s) / (s + 1));
      sizes.add(Math.min(trials, left));
      left -= Math.min(trials, left);
    }
    List<Chain> chains = new ArrayList<>();
    for (int trials : sizes) {
      int rungs = most - chains.size();
      chains.add(
          sha(
              sizes.size() == 1 ? "" : chainName(chains.size()),
              trials,
              eta,
              trainingResource.max(),
              k ->
                  trainingResource.max()
                      / saturatedPower(1, eta, rungs - k, trainingResource.max())));
    }
    return new Workload(chains);
  }

  /** Returns a, b, …, z, aa, ab, … for 0, 1, … */
  private static String chainName(int index) {
    String letter = String.valueOf((char) ('a' + index % 26));
    return index < 26 ? letter : chainName(index / 26 - 1) + letter;
  }
}
