package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds the best of many plans by sampling few. The plans are in an order along which a limit goes
 * from broken to kept, but for noise: the border is found by halving, then the plans around it are
 * looked at one by one.
 */
final class Settler {
  /** Plans looked at on either side of the border. */
  private static final int AROUND = 6;

  private final Judge judge;

  Settler(Judge judge) {
    this.judge = judge;
  }

  /**
   * The best of {@code plans} that keeps {@code limit}.
   *
   * @param plans the best first, the likeliest to keep {@code rising} last
   * @param rising the part of the limit that goes from broken to kept
   */
  Optional<Verdict> best(
      List<Plan> plans,
      Predicate<Verdict> rising,
      Predicate<Verdict> limit,
      Comparator<Verdict> better) {
    int border = border(plans, rising);
    List<Verdict> kept = new ArrayList<>();
    int end = Math.min(plans.size(), border + AROUND + 1);
    for (int i = Math.max(0, border - AROUND); i < end; i++) {
      Verdict verdict = judge.quick(plans.get(i));
      if (limit.test(verdict)) {
        kept.add(verdict);
      }
    }
    kept.sort(better);
    Optional<Verdict> confirmed = confirmed(kept, limit, better);
    return confirmed.isPresent() ? confirmed : after(plans, border, limit);
  }

  /** The first from which on the limit is kept; by few samples. */
  private int border(List<Plan> plans, Predicate<Verdict> limit) {
    int low = 0;
    int high = plans.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (limit.test(judge.quick(plans.get(middle)))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private Optional<Verdict> confirmed(
      List<Verdict> kept, Predicate<Verdict> limit, Comparator<Verdict> better) {
    List<Verdict> settled = new ArrayList<>();
    for (Verdict verdict : kept) {
      Verdict full = judge.full(verdict.plan());
      if (limit.test(full)) {
        settled.add(full);
      }
      if (settled.size() == 2) {
        break;
      }
    }
    return settled.stream().min(better);
  }

  private Optional<Verdict> after(List<Plan> plans, int border, Predicate<Verdict> limit) {
    int from = Math.max(0, border - AROUND);
    return plans.subList(Math.min(from, plans.size()), plans.size()).stream()
        .map(judge::full)
        .filter(limit)
        .findFirst();
  }
}
