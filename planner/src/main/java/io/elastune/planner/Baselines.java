package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the baselines that a plan is compared with. */
final class Baselines {
  /** Name of the baseline for the best static cluster. */
  static final String STATIC = "static";

  private final JobSearch search;
  private final Selection selection;
  private final Judge judge;
  private final Limits limits;
  private final double deadlineS;

  Baselines(JobSearch search, Selection selection, Judge judge, Limits limits) {
    this.search = search;
    this.selection = selection;
    this.judge = judge;
    this.limits = limits;
    this.deadlineS = limits.deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns all baselines; {@code candidates} are those of the search. */
  List<Baseline> all(CandidateSet candidates) {
    List<Baseline> all = new ArrayList<>();
    best(STATIC, staticPlans()).ifPresent(all::add);
    best("naive-elastic", choices(search.naiveFront(deadlineS), false)).ifPresent(all::add);
    all.add(of("fastest", judge.full(candidates.frontier().fastestFirst().get(0))));
    all.add(
        new Baseline(
            "lower-bound", false, search.shortestS(), search.unitsUsd(), Optional.empty()));
    return all;
  }

  /** Returns the static clusters. */
  Choices staticPlans() {
    return choices(search.staticFront(deadlineS), true);
  }

  private Choices choices(Front<Outline> front, boolean hold) {
    return Choices.of(front, outline -> search.plan(outline, hold), limits);
  }

  /**
   * Returns the best plan that meets the limits, or else the one that is nearest to meeting them;
   * nothing if no such plan exists for chains that run side by side.
   */
  private Optional<Baseline> best(String name, Choices choices) {
    return choices.fastestFirst().isEmpty()
        ? Optional.empty()
        : Optional.of(
            of(name, selection.best(choices).orElseGet(() -> selection.nearest(choices))));
  }

  private Baseline of(String name, Verdict verdict) {
    return new Baseline(
        name,
        judge.keepsAll(verdict),
        verdict.completionS(),
        verdict.costUsd(),
        Optional.of(verdict.plan()));
  }
}
