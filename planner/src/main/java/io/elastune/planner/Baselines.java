package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The plans to compare with (issue 4; cli.md). */
final class Baselines {
  private final JobSearch search;
  private final Selection selection;
  private final Judge judge;
  private final double deadlineS;

  Baselines(JobSearch search, Selection selection, Judge judge, double deadlineS) {
    this.search = search;
    this.selection = selection;
    this.judge = judge;
    this.deadlineS = deadlineS;
  }

  List<Baseline> all() {
    List<Baseline> all = new ArrayList<>();
    all.add(best("static", staticPlans()));
    all.add(best("naive-elastic", plans(search.naiveFront(deadlineS), false)));
    List<Plan> plans = plans(search.front(deadlineS), false);
    all.add(of("fastest", judge.full(plans.get(0))));
    all.add(
        new Baseline(
            "lower-bound", false, search.shortestS(), search.unitsUsd(), Optional.empty()));
    return all;
  }

  /** Static clusters, the fastest first. */
  List<Plan> staticPlans() {
    return plans(search.staticFront(deadlineS), true);
  }

  private List<Plan> plans(Front<Outline> front, boolean hold) {
    return front.items().stream().map(outline -> search.plan(outline, hold)).toList();
  }

  /** The best that keeps the limits, or else the one that comes nearest to them. */
  private Baseline best(String name, List<Plan> plans) {
    return of(name, selection.best(plans).orElseGet(() -> selection.nearest(plans)));
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
