package io.elastune.planner.rung;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungProgress;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.evaluate.Finalists;
import io.elastune.planner.evaluate.SampleRoom;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.timeline.RungRest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Re-plans the rest of a run whose search is made of rungs (docs/searches.md, "Re-planning"). While
 * new trials may start, a new plan may have other instances and other GPUs per trial; afterwards,
 * other sizes of the phase closing. The offer stays. All plans are sampled with common random
 * numbers: a few samples find the best ones, and more compare them with the present plan.
 */
public final class RungReplanner implements RestPlans {
  /** The samples by which plans are found. */
  private static final int FEW_SAMPLES = 6;

  private static final int MOST_SAMPLES = 32;
  private static final int MOST_STEPS = 6;
  private static final int MOST_COMPARED = 5;

  /** The tasks of all samples by which plans are found, of which at least some are tried. */
  private static final long MOST_TASKS = 1_500_000;

  private static final int LEAST_TRIED = 8;

  private final Problem problem;
  private final RungRule rule;
  private final RungRest.Start start;
  private final RungRest rest;
  private final boolean moves;
  private final RungChoices choices;
  private final boolean refused;
  private final Optional<OfferChoice> offer;
  private final int samples;
  private final long mostTried;
  private final Map<RungCandidate, Tried> tried = new LinkedHashMap<>();

  /** A plan with its forecast by a few samples. */
  private record Tried(RungCandidate candidate, PlanForecast forecast) implements TimeAndCost {
    @Override
    public double completionS() {
      return forecast.safeS();
    }

    @Override
    public double costUsd() {
      return forecast.costUsd();
    }
  }

  /**
   * Creates a re-planner for one state of a run.
   *
   * @param problem the offers and profiles as they are known now, and the limits of the run
   * @param snapshot its only chain has the instances
   * @param progress how far the search has come; tasks refer to these instances in order
   * @param name the offer of the instances
   * @param moves whether tasks may move to fewer instances when no new trial starts
   * @param refused whether no more instances are available
   */
  public RungReplanner(
      Problem problem,
      RunSnapshot snapshot,
      RungProgress progress,
      String name,
      boolean moves,
      boolean refused) {
    this.problem = problem;
    this.refused = refused;
    this.rule = problem.workload().rungs().orElseThrow();
    this.start =
        new RungRest.Start(
            snapshot.atS(), snapshot.settledUsd(), progress, snapshot.chains().get(0).held());
    this.moves = moves;
    int begun = progress.state().begun();
    // A search without a limit of its own is taken to start as many trials again.
    int fresh = rule.trials() == RungRule.UNLIMITED ? begun : rule.trials() - begun;
    SampleRoom room = new SampleRoom(1 + fresh + progress.tasks().size());
    this.samples = room.samples(MOST_SAMPLES, 1 + MOST_COMPARED);
    this.mostTried = Math.max(LEAST_TRIED, MOST_TASKS / (room.tasks() * FEW_SAMPLES));
    this.rest = new RungRest(problem, start, Math.max(FEW_SAMPLES, samples));
    ChoiceSet choiceSet = ChoiceSet.of(problem, Map.of(name, start.held().size()));
    this.choices = new RungChoices(choiceSet, rule);
    this.offer =
        choiceSet.offerChoices().stream().filter(it -> it.offer().name().equals(name)).findFirst();
  }

  @Override
  public Optional<PlanForecast> outlook(Plan plan) {
    return offer.map(choice -> forecast(candidate(choice, plan), samples, mostHeld(), false));
  }

  @Override
  public List<PlanForecast> alternatives(Plan current) {
    int held = start.held().size();
    if (offer.isEmpty() || (refused && held == 0)) {
      return List.of();
    }
    RungCandidate now = candidate(offer.get(), current);
    int most = refused ? held : Integer.MAX_VALUE;
    if (rule.time().isPresent()) {
      return fewerTrials(now, most);
    }
    attempt(now, now, mostHeld());
    for (boolean isCheapest : new boolean[] {true, false}) {
      descend(atMost(now, most), now, most, isCheapest);
    }
    double deadlineS = problem.limits().deadlineOrInfinityS();
    double budgetUsd = problem.limits().budgetOrInfinityUsd();
    return new Finalists(List.of(deadlineS), budgetUsd, MOST_COMPARED)
        .of(tried.values()).stream()
            .map(Tried::candidate)
            .filter(it -> !it.equals(now))
            .map(it -> forecast(it, samples, most, isMoved(it, now)))
            .toList();
  }

  /**
   * A search that ends at a time takes as many instances as its budget allows: of the plans with
   * fewer, the largest that the budget covers; none if the present plan is covered.
   */
  private List<PlanForecast> fewerTrials(RungCandidate now, int most) {
    double budgetUsd = problem.limits().budgetOrInfinityUsd();
    if (!start.isOpen() || forecast(now, samples, mostHeld(), false).costUsd() <= budgetUsd) {
      return List.of();
    }
    for (int open = now.open() - 1; open >= 1; open--) {
      int closing = Math.min(open, now.closing());
      PlanForecast fewer =
          forecast(
              new RungCandidate(now.offer(), open, now.openGpus(), closing, now.closingGpus()),
              samples,
              most,
              false);
      if (fewer.costUsd() <= budgetUsd) {
        return List.of(fewer);
      }
    }
    return List.of();
  }

  /** Improves a plan step by step, and remembers all plans on the way. */
  private void descend(
      RungCandidate from, RungCandidate now, int mostInstances, boolean isCheapest) {
    RungCandidate best = from;
    attempt(best, now, mostInstances);
    for (int step = 0; step < MOST_STEPS; step++) {
      RungCandidate before = best;
      for (RungCandidate next : neighbors(before)) {
        boolean isTried = tried.containsKey(next) || tried.size() < mostTried;
        if (isTried && isAllowed(next, now, mostInstances)) {
          attempt(next, now, mostInstances);
          best = value(next, isCheapest) < value(best, isCheapest) ? next : best;
        }
      }
      if (best.equals(before)) {
        break;
      }
    }
  }

  /** Whether instances for a plan can be had, and the tasks can move that it moves. */
  private boolean isAllowed(RungCandidate candidate, RungCandidate now, int mostInstances) {
    int instances = start.isOpen() ? candidate.open() : candidate.closing();
    return instances <= mostInstances
        && (!isMoved(candidate, now) || rest.canMove(candidate.plan(false)));
  }

  /** Returns a plan without instances that cannot be had. */
  private RungCandidate atMost(RungCandidate candidate, int mostInstances) {
    int open = start.isOpen() ? Math.min(candidate.open(), mostInstances) : candidate.open();
    int closing = Math.min(candidate.closing(), Math.min(open, mostInstances));
    return new RungCandidate(
        candidate.offer(), open, candidate.openGpus(), closing, candidate.closingGpus());
  }

  /** The present plan requests no more instances than the run holds and waits for. */
  private int mostHeld() {
    return start.held().isEmpty() ? Integer.MAX_VALUE : start.held().size();
  }

  private void attempt(RungCandidate candidate, RungCandidate now, int mostInstances) {
    tried.computeIfAbsent(
        candidate, it -> new Tried(it, forecast(it, FEW_SAMPLES, mostInstances, isMoved(it, now))));
  }

  private Tried tried(RungCandidate candidate) {
    Tried known = tried.get(candidate);
    if (known == null) {
      throw new IllegalStateException("not tried: " + candidate);
    }
    return known;
  }

  /** The cost, where plans that are late come last, or the time. */
  private double value(RungCandidate candidate, boolean isCheapest) {
    Tried known = tried(candidate);
    if (!isCheapest) {
      return known.completionS();
    }
    boolean isLate = known.completionS() > problem.limits().deadlineOrInfinityS();
    return isLate ? Double.POSITIVE_INFINITY : known.costUsd();
  }

  private List<RungCandidate> neighbors(RungCandidate from) {
    if (start.isOpen()) {
      return choices.neighbors(from).stream()
          .filter(it -> it.offer().equals(from.offer()))
          .toList();
    }
    Set<RungCandidate> near = new LinkedHashSet<>();
    int held = start.held().size();
    for (int closing : new int[] {from.closing() - 1, from.closing() + 1, held - 1, held}) {
      if (closing >= 1 && closing <= from.open()) {
        near.add(
            new RungCandidate(
                from.offer(), from.open(), from.openGpus(), closing, from.closingGpus()));
      }
    }
    for (int gpus : rule.isStopping() ? List.<Integer>of() : choices.sizes(from.offer())) {
      near.add(new RungCandidate(from.offer(), from.open(), from.openGpus(), from.closing(), gpus));
    }
    near.remove(from);
    return new ArrayList<>(near);
  }

  /** Whether a plan moves tasks: the phase closing gets fewer instances than are held. */
  private boolean isMoved(RungCandidate candidate, RungCandidate now) {
    return moves
        && !start.isOpen()
        && candidate.closing() < now.closing()
        && candidate.closing() < start.held().size();
  }

  private static RungCandidate candidate(OfferChoice choice, Plan plan) {
    Allocation open = allocation(plan, Workload.OPEN);
    Allocation closing = allocation(plan, Workload.CLOSING);
    return new RungCandidate(
        choice, open.instances(), open.gpusPerTrial(), closing.instances(), closing.gpusPerTrial());
  }

  private static Allocation allocation(Plan plan, String phase) {
    return Optional.ofNullable(plan.allocations().get(phase)).orElseThrow();
  }

  private PlanForecast forecast(RungCandidate candidate, int samples, int most, boolean isMoved) {
    Plan plan = candidate.plan(false);
    JointSamples sampled = rest.sample(plan, samples, most, isMoved);
    return PlanForecast.of(plan, sampled, problem.limits().confidence());
  }
}
