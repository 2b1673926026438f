package io.elastune.planner;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Exact label setting for one chain. A label is a state at a barrier: the group, the instances
 * held, time and cost, and everything that couples later groups to earlier ones. A dominated label
 * is dropped only where no continuation can differ ({@link Dominance}); a label is also dropped if
 * all its continuations are worse than a known plan. The plans at the end form the whole frontier
 * of time and cost.
 */
final class Exact {
  /**
   * Tolerance for rounding of the bounds; plans that tie with the best must be found. Not tunable.
   */
  private static final double SLACK_USD = 1e-8;

  private final ChainModel model;
  private final SearchParameters.LabelSetting parameters;
  private final GroupRun run;
  private final Relaxation relaxation;
  private final Goal goal;
  private final Front<Draft> front;
  private final double[] restS;
  private final Dominance dominance;
  private long checks;
  private long effort;
  private final BooleanSupplier timeLimitReached;

  /**
   * The goal of a search: the cheapest plan for each deadline of a range.
   *
   * @param fromS the first deadline
   * @param toS the last deadline
   * @param cap instances that may be held at once
   */
  record Goal(double fromS, double toS, int cap) {}

  /**
   * @param known plans already found that stay within the cap; the frontier is added to them
   * @param effort runs of a group, or comparisons of labels, that the search may take
   * @param timeLimitReached whether the time limit is reached
   */
  Exact(
      ChainModel model,
      Relaxation relaxation,
      Front<Draft> known,
      Goal goal,
      long effort,
      BooleanSupplier timeLimitReached) {
    this.model = model;
    this.parameters = model.parameters().labelSetting();
    this.run = new GroupRun(model);
    this.relaxation = relaxation;
    this.goal = goal;
    this.front = known;
    this.effort = effort;
    this.timeLimitReached = timeLimitReached;
    this.restS = shortestRestS(model);
    this.dominance = new Dominance(model);
  }

  /** Least seconds of all groups from each one on. */
  private static double[] shortestRestS(ChainModel model) {
    double[] restS = new double[model.groups() + 1];
    for (int group = model.groups() - 1; group >= 0; group--) {
      double leastS = Double.POSITIVE_INFINITY;
      for (Size size : model.menu().sizes()) {
        leastS = Math.min(leastS, LowerBound.shortestS(model, group, size));
      }
      restS[group] = restS[group + 1] + leastS;
    }
    return restS;
  }

  /**
   * Searches; returns false if effort or time ran out before the end, so that nothing is proven.
   */
  boolean search() {
    List<Label> labels = startLabels();
    for (int group = 0; group < model.groups(); group++) {
      Map<Integer, List<Label>> next = new HashMap<>();
      for (Label label : labels) {
        expand(label, group, next);
        if (effortLeft() < 0 || timeLimitReached.getAsBoolean()) {
          return false;
        }
      }
      labels = next.values().stream().flatMap(List::stream).toList();
    }
    return true;
  }

  /** The effort that is left. */
  long effortLeft() {
    return effort - checks / parameters.comparisonsPerStep();
  }

  /** The instances held at the start may be released, kept, or kept in part. */
  private List<Label> startLabels() {
    List<Label> labels = new ArrayList<>();
    Held all = model.start().all();
    for (Rental rental : model.menu().rentals()) {
      if (rental.index() == all.rental()) {
        int most = Math.min(all.count(), useful(0, rental));
        for (int kept = 1; kept <= most; kept++) {
          Held some = model.start().forGroup(rental, kept);
          labels.add(Label.beginning(some, -1, kept < all.count()));
        }
      }
    }
    labels.add(Label.beginning(model.start().none(), all.rental(), false));
    return labels;
  }

  private void expand(Label label, int group, Map<Integer, List<Label>> next) {
    int held = label.held().count();
    double passedS = model.safeS(label.held().timeS(), label.held().varianceS2());
    double spentUsd = model.spentUsd(label.held());
    for (Size size : model.menu().sizes()) {
      if (!label.mayUse(size.rental())) {
        continue;
      }
      int most = label.shrunk() ? held : useful(group, size.rental());
      double leastUsd = spentUsd + model.leastUsd(group, size);
      for (int count = Math.max(held, size.team()); count <= most; count++) {
        effort--;
        double leastS = LowerBound.shortestS(model, group, size, count);
        double[] values =
            relaxation.values(
                group + 1, size.rental().index(), readyAfterS(label, size, count) <= leastS);
        if (isDominated(passedS + leastS, leastUsd, values, group + 1)) {
          continue;
        }
        run.run(label.held(), group, size, count);
        if (group == model.groups() - 1) {
          finish(label, size, count);
        } else {
          extend(label, group, size, count, next);
        }
      }
    }
  }

  private int useful(int group, Rental rental) {
    return Math.min(goal.cap(), relaxation.useful(group, rental));
  }

  /** Seconds from the barrier until the last of {@code count} instances is ready. */
  private static double readyAfterS(Label label, Size size, int count) {
    Held held = label.held();
    return count > held.count()
        ? size.rental().readyAfterS()
        : held.readyS()[held.blocks() - 1] - held.timeS();
  }

  private void finish(Label label, Size size, int count) {
    Held end = run.release(count);
    double cost = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    if (front.wants(completionS, cost)) {
      front.add(label.draft(model, size, count, end));
    }
  }

  private void extend(
      Label label, int group, Size size, int count, Map<Integer, List<Label>> next) {
    int rental = size.rental().index();
    int most = Math.min(count, useful(group + 1, size.rental()));
    double endS = model.safeS(run.endS(), run.endS2());
    double clockUsd = run.endS() * model.clockUsdPerS();
    boolean allReady = run.pieces().lastKeptReadyS(0) <= run.endS();
    for (int kept = model.menu().rentals().size() > 1 ? 0 : 1; kept <= most; kept++) {
      boolean ready = allReady || run.pieces().lastKeptReadyS(count - kept) <= run.endS();
      double[] values = relaxation.values(group + 1, rental, kept, ready);
      double spentUsd = run.spentUsd(count - kept) + clockUsd;
      if (!isDominated(endS, spentUsd, values, group + 1)) {
        int let = kept == 0 ? rental : -1;
        boolean shrunk = kept > 0 && kept < count;
        Label some = label.next(run.release(count - kept), let, shrunk, size, count);
        insert(some, kept == 0 ? -1 - rental : rental * (1 << 16) + kept, next);
      }
    }
  }

  private void insert(Label label, int node, Map<Integer, List<Label>> next) {
    Rental rental = model.menu().rentals().get(Math.max(0, label.held().rental()));
    List<Label> rivals = next.computeIfAbsent(node, key -> new ArrayList<>());
    effort -= rivals.size() / parameters.rivalsPerStep();
    for (Label rival : rivals) {
      if (dominance.holds(rival, label, rental)) {
        return;
      }
    }
    rivals.removeIf(rival -> dominance.holds(label, rival, rental));
    rivals.add(label);
  }

  /**
   * Whether no deadline of the goal can be met more cheaply by a continuation of this state.
   *
   * @param passedS seconds until now
   * @param spentUsd dollars until now
   * @param values of the remaining groups ({@link Relaxation})
   */
  private boolean isDominated(double passedS, double spentUsd, double[] values, int group) {
    double earliestS = passedS + restS[group];
    if (earliestS > goal.toS() + Timed.SAME) {
      return true;
    }
    double untilS = goal.toS();
    for (int known = front.by(goal.toS()) - 1; known >= 0; known--) {
      checks++;
      double leastUsd = spentUsd + relaxation.leastUsd(values, untilS - passedS);
      if (untilS >= earliestS - Timed.SAME && leastUsd <= front.costUsd(known) + SLACK_USD) {
        return false;
      }
      untilS = front.completionS(known);
      if (untilS <= goal.fromS()) {
        return true;
      }
    }
    return earliestS > untilS + Timed.SAME;
  }
}
