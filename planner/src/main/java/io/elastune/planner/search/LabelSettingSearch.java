package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.LowerBound;
import io.elastune.planner.model.MeanGroupRun;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Exact label setting for one chain. A label is a state at a barrier: the group, the instances
 * held, time and cost, and everything that couples later groups to earlier ones. A dominated label
 * is dropped only where no continuation can differ ({@link LabelDominance}); a label is also
 * dropped if all its continuations are worse than a known plan. The plans at the end form the whole
 * frontier of time and cost.
 */
public final class LabelSettingSearch {
  /**
   * Tolerance for rounding of the bounds; plans that tie with the best must be found. Not tunable.
   */
  private static final double SLACK_USD = 1e-8;

  private final MeanValueModel model;
  private final SearchParameters.LabelSetting parameters;
  private final MeanGroupRun run;
  private final LagrangianBound lagrangianBound;
  private final SearchGoal searchGoal;
  private final ParetoFront<ChainCandidate> paretoFront;
  private final double[] restS;
  private final LabelDominance labelDominance;
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
  public record SearchGoal(double fromS, double toS, int cap) {}

  /**
   * @param known plans already found that stay within the cap; the frontier is added to them
   * @param effort runs of a group, or comparisons of labels, that the search may take
   * @param timeLimitReached whether the time limit is reached
   */
  LabelSettingSearch(
      MeanValueModel model,
      LagrangianBound lagrangianBound,
      ParetoFront<ChainCandidate> known,
      SearchGoal searchGoal,
      long effort,
      BooleanSupplier timeLimitReached) {
    this.model = model;
    this.parameters = model.parameters().labelSetting();
    this.run = new MeanGroupRun(model);
    this.lagrangianBound = lagrangianBound;
    this.searchGoal = searchGoal;
    this.paretoFront = known;
    this.effort = effort;
    this.timeLimitReached = timeLimitReached;
    this.restS = shortestRestS(model);
    this.labelDominance = new LabelDominance(model);
  }

  /** Least seconds of all groups from each one on. */
  private static double[] shortestRestS(MeanValueModel model) {
    double[] restS = new double[model.groups() + 1];
    for (int group = model.groups() - 1; group >= 0; group--) {
      double leastS = Double.POSITIVE_INFINITY;
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        leastS = Math.min(leastS, LowerBound.shortestS(model, group, trialShape));
      }
      restS[group] = restS[group + 1] + leastS;
    }
    return restS;
  }

  /**
   * Searches; returns false if effort or time ran out before the end, so that nothing is proven.
   */
  boolean search() {
    List<SearchLabel> searchLabels = startLabels();
    for (int group = 0; group < model.groups(); group++) {
      Map<Integer, List<SearchLabel>> next = new HashMap<>();
      for (SearchLabel searchLabel : searchLabels) {
        expand(searchLabel, group, next);
        if (effortLeft() < 0 || timeLimitReached.getAsBoolean()) {
          return false;
        }
      }
      searchLabels = next.values().stream().flatMap(List::stream).toList();
    }
    return true;
  }

  /** The effort that is left. */
  long effortLeft() {
    return effort - checks / parameters.comparisonsPerStep();
  }

  /** The instances held at the start may be released, kept, or kept in part. */
  private List<SearchLabel> startLabels() {
    List<SearchLabel> searchLabels = new ArrayList<>();
    HeldInstances all = model.start().allHeld();
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      if (offerChoice.index() == all.offerChoice()) {
        int most = Math.min(all.count(), useful(0, offerChoice));
        for (int kept = 1; kept <= most; kept++) {
          HeldInstances some = model.start().forGroup(offerChoice, kept);
          searchLabels.add(SearchLabel.beginning(some, -1, kept < all.count()));
        }
      }
    }
    searchLabels.add(SearchLabel.beginning(model.start().noneHeld(), all.offerChoice(), false));
    return searchLabels;
  }

  private void expand(SearchLabel searchLabel, int group, Map<Integer, List<SearchLabel>> next) {
    int held = searchLabel.held().count();
    double passedS = model.safeS(searchLabel.held().timeS(), searchLabel.held().varianceS2());
    double spentUsd = model.spentUsd(searchLabel.held());
    for (TrialShape trialShape : model.choiceSet().trialShapes()) {
      if (!searchLabel.mayUse(trialShape.offerChoice())) {
        continue;
      }
      int most = searchLabel.partlyReleased() ? held : useful(group, trialShape.offerChoice());
      double leastUsd = spentUsd + model.leastUsd(group, trialShape);
      for (int count = Math.max(held, trialShape.team()); count <= most; count++) {
        effort--;
        double leastS = LowerBound.shortestS(model, group, trialShape, count);
        double[] values =
            lagrangianBound.values(
                group + 1,
                trialShape.offerChoice().index(),
                readyAfterS(searchLabel, trialShape, count) <= leastS);
        if (isDominated(passedS + leastS, leastUsd, values, group + 1)) {
          continue;
        }
        run.run(searchLabel.held(), group, trialShape, count);
        if (group == model.groups() - 1) {
          finish(searchLabel, trialShape, count);
        } else {
          extend(searchLabel, group, trialShape, count, next);
        }
      }
    }
  }

  private int useful(int group, OfferChoice offerChoice) {
    return Math.min(searchGoal.cap(), lagrangianBound.useful(group, offerChoice));
  }

  /** Seconds from the barrier until the last of {@code count} instances is ready. */
  private static double readyAfterS(SearchLabel searchLabel, TrialShape trialShape, int count) {
    HeldInstances heldInstances = searchLabel.held();
    return count > heldInstances.count()
        ? trialShape.offerChoice().readyAfterS()
        : heldInstances.readyS()[heldInstances.blocks() - 1] - heldInstances.timeS();
  }

  private void finish(SearchLabel searchLabel, TrialShape trialShape, int count) {
    HeldInstances end = run.release(count);
    double cost = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    if (paretoFront.accepts(completionS, cost)) {
      paretoFront.add(searchLabel.candidate(model, trialShape, count, end));
    }
  }

  private void extend(
      SearchLabel searchLabel,
      int group,
      TrialShape trialShape,
      int count,
      Map<Integer, List<SearchLabel>> next) {
    int offerChoice = trialShape.offerChoice().index();
    int most = Math.min(count, useful(group + 1, trialShape.offerChoice()));
    double endS = model.safeS(run.endS(), run.endS2());
    double clockUsd = run.endS() * model.clockUsdPerS();
    boolean allReady = run.pieces().lastKeptReadyS(0) <= run.endS();
    for (int kept = model.choiceSet().offerChoices().size() > 1 ? 0 : 1; kept <= most; kept++) {
      boolean ready = allReady || run.pieces().lastKeptReadyS(count - kept) <= run.endS();
      double[] values = lagrangianBound.values(group + 1, offerChoice, kept, ready);
      double spentUsd = run.spentUsd(count - kept) + clockUsd;
      if (!isDominated(endS, spentUsd, values, group + 1)) {
        int let = kept == 0 ? offerChoice : -1;
        boolean shrunk = kept > 0 && kept < count;
        SearchLabel some =
            searchLabel.next(run.release(count - kept), let, shrunk, trialShape, count);
        insert(some, kept == 0 ? -1 - offerChoice : offerChoice * (1 << 16) + kept, next);
      }
    }
  }

  private void insert(SearchLabel searchLabel, int node, Map<Integer, List<SearchLabel>> next) {
    OfferChoice offerChoice =
        model.choiceSet().offerChoices().get(Math.max(0, searchLabel.held().offerChoice()));
    List<SearchLabel> rivals = next.computeIfAbsent(node, key -> new ArrayList<>());
    effort -= rivals.size() / parameters.rivalsPerStep();
    for (SearchLabel rival : rivals) {
      if (labelDominance.dominates(rival, searchLabel, offerChoice)) {
        return;
      }
    }
    rivals.removeIf(rival -> labelDominance.dominates(searchLabel, rival, offerChoice));
    rivals.add(searchLabel);
  }

  /**
   * Whether no deadline of the goal can be met more cheaply by a continuation of this state.
   *
   * @param passedS seconds until now
   * @param spentUsd dollars until now
   * @param values of the remaining groups ({@link LagrangianBound})
   */
  private boolean isDominated(double passedS, double spentUsd, double[] values, int group) {
    double earliestS = passedS + restS[group];
    if (earliestS > searchGoal.toS() + TimeAndCost.TOLERANCE) {
      return true;
    }
    double untilS = searchGoal.toS();
    for (int known = paretoFront.countWithin(searchGoal.toS()) - 1; known >= 0; known--) {
      checks++;
      double leastUsd = spentUsd + lagrangianBound.leastUsd(values, untilS - passedS);
      if (untilS >= earliestS - TimeAndCost.TOLERANCE
          && leastUsd <= paretoFront.costUsd(known) + SLACK_USD) {
        return false;
      }
      untilS = paretoFront.completionS(known);
      if (untilS <= searchGoal.fromS()) {
        return true;
      }
    }
    return earliestS > untilS + TimeAndCost.TOLERANCE;
  }
}
