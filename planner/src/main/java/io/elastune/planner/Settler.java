package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Limit;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the best of many plans with few samples. The plans are in an order along which a limit
 * changes from missed to met, apart from noise: a bisection finds the border, then the plans around
 * it are evaluated one by one.
 */
final class Settler {
  private final Judge judge;
  private final SearchParameters.Race parameters;

  Settler(Judge judge, SearchParameters.Race parameters) {
    this.parameters = parameters;
    this.judge = judge;
  }

  /**
   * Returns the best of {@code plans} that meets {@code limit}.
   *
   * @param plans the best first, the most likely to meet {@code rising} last
   * @param guess how many of them may miss it
   * @param rising the part of the limit that changes from missed to met
   */
  Optional<Verdict> best(List<Plan> plans, int guess, Limit rising, Limit limit, Aim aim) {
    int border =
        border(
            plans, guess, plan -> judge.keepsByFar(plan) || rising.kept().test(judge.quick(plan)));
    int end = Math.min(plans.size(), border + parameters.plansAroundBorder() + 1);
    List<Verdict> kept =
        kept(
            plans.subList(Math.min(Math.max(0, border - parameters.plansAroundBorder()), end), end),
            limit,
            aim);
    Optional<Verdict> confirmed = confirmed(kept, limit.kept(), aim);
    return confirmed.isPresent() ? confirmed : firstAfter(plans, border, limit);
  }

  /** Returns the plans that may meet the limit and may be the best, the best first. */
  private List<Verdict> kept(List<Plan> plans, Limit limit, Aim aim) {
    List<Verdict> kept = new ArrayList<>();
    Optional<Verdict> best = Optional.empty();
    for (Plan plan : plans) {
      if (best.isPresent() && judge.isSurelyWorse(plan, best.get().plan(), aim::of)) {
        continue;
      }
      Verdict verdict = judge.quick(plan);
      if (limit.perhaps().test(verdict)) {
        kept.add(verdict);
      }
      if (limit.kept().test(verdict)) {
        best = Stream.concat(best.stream(), Stream.of(verdict)).min(aim);
      }
    }
    kept.sort(aim);
    return kept;
  }

  /**
   * Returns the first index from which on a predicate is true; searched in growing steps from a
   * guess, then by bisection.
   */
  static int border(List<Plan> plans, int guess, Predicate<Plan> isTrue) {
    int low = 0;
    int high = plans.size();
    int look = Math.min(guess, high - 1);
    for (int step = 1; low < high; step *= 2) {
      if (isTrue.test(plans.get(look))) {
        high = look;
      } else {
        low = look + 1;
      }
      boolean bracketed = low > 0 && high < plans.size();
      look = bracketed ? (low + high) / 2 : low > 0 ? low + step - 1 : high - step;
      look = Math.max(low, Math.min(high - 1, look));
    }
    return low;
  }

  private Optional<Verdict> confirmed(List<Verdict> kept, Predicate<Verdict> limit, Aim aim) {
    List<Verdict> confirmed = new ArrayList<>();
    for (int i = 0;
        i < kept.size() && i < parameters.confirmedPlans() && confirmed.size() < 2;
        i++) {
      Plan plan = kept.get(i).plan();
      if (!confirmed.isEmpty() && judge.isSurelyWorse(plan, confirmed.get(0).plan(), aim::of)) {
        continue;
      }
      Verdict full = judge.full(plan);
      if (limit.test(full)) {
        confirmed.add(full);
      }
    }
    return confirmed.stream().min(aim);
  }

  private Optional<Verdict> firstAfter(List<Plan> plans, int border, Limit limit) {
    int from = Math.max(0, border - parameters.plansAroundBorder());
    return plans.subList(Math.min(from, plans.size()), plans.size()).stream()
        .filter(plan -> limit.perhaps().test(judge.quick(plan)))
        .map(judge::full)
        .filter(limit.kept())
        .findFirst();
  }

  /**
   * Returns the best of {@code ranked} that meets {@code limit} by the samples of the final
   * estimate. If the first of them fails, plans that were not compared may be better than the next:
   * those of {@code safer} come first, as far as they are.
   */
  Optional<Verdict> sure(
      List<Verdict> ranked,
      List<Plan> safer,
      Predicate<Verdict> limit,
      Comparator<Verdict> better) {
    int fails = 0;
    while (fails < ranked.size() && fails < parameters.confirmedPlans()) {
      Verdict verdict = judge.shownIfKept(ranked.get(fails).plan());
      if (limit.test(verdict)) {
        break;
      }
      fails++;
    }
    Optional<Verdict> best =
        fails < Math.min(ranked.size(), parameters.confirmedPlans())
            ? Optional.of(judge.shown(ranked.get(fails).plan()))
            : Optional.empty();
    if (best.isPresent() && fails == 0) {
      return best;
    }
    Optional<Verdict> other =
        safer.stream()
            .filter(plan -> best.stream().allMatch(b -> better.compare(judge.quick(plan), b) < 0))
            .limit(2L * parameters.confirmedPlans())
            .map(judge::shownIfKept)
            .filter(limit)
            .findFirst();
    return Stream.concat(best.stream(), other.stream()).min(better);
  }
}
