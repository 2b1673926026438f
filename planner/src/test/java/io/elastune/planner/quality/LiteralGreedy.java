package io.elastune.planner.quality;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Runs the greedy marginal-benefit planner in its simplest form (after RubberBand, EuroSys'21), for
 * comparison. It starts from the cheapest feasible static cluster and reduces one group at a time
 * by one fair share of GPUs. A share is fair if all trials get the same number of GPUs, or wait the
 * same number of waves for one. For jobs of one offer without spread.
 */
final class LiteralGreedy {
  private final Problem problem;
  private final Offer offer;
  private final Simulator simulator;
  private final double deadlineS;

  private record ScoredPlan(Plan plan, double completionS, double costUsd) {}

  private record GreedyMove(ScoredPlan to, double benefit) {}

  private LiteralGreedy(Problem problem, Offer offer) {
    this.problem = problem;
    this.offer = offer;
    this.simulator = new Simulator(problem, 1);
    this.deadlineS = problem.limits().deadlineS().orElseThrow();
  }

  /** Returns the cost of its final plan in USD; {@code cluster} must meet the deadline. */
  static double costUsd(Problem problem, Plan cluster) {
    String name = cluster.allocations().values().iterator().next().offer();
    LiteralGreedy greedy = new LiteralGreedy(problem, problem.offer(name).orElseThrow());
    ScoredPlan best = greedy.score(new Plan(false, cluster.allocations()));
    Optional<GreedyMove> greedyMove = greedy.best(best);
    while (greedyMove.isPresent()) {
      best = greedyMove.get().to();
      greedyMove = greedy.best(best);
    }
    return best.costUsd();
  }

  private ScoredPlan score(Plan plan) {
    JointSamples jointSamples = simulator.sample(plan);
    return new ScoredPlan(plan, jointSamples.completionS()[0], jointSamples.costUsd()[0]);
  }

  private Optional<GreedyMove> best(ScoredPlan from) {
    Optional<GreedyMove> best = Optional.empty();
    for (TrialGroup group : problem.workload().groups()) {
      Optional<GreedyMove> greedyMove = down(from, group);
      if (greedyMove.isPresent()
          && greedyMove.get().benefit() > best.map(GreedyMove::benefit).orElse(0.0)) {
        best = greedyMove;
      }
    }
    return best;
  }

  private Optional<GreedyMove> down(ScoredPlan from, TrialGroup group) {
    Allocation now = from.plan().of(group);
    int teams = Math.max(1, now.gpusPerTrial() / offer.gpus());
    int perInstance = Math.max(1, offer.gpus() / now.gpusPerTrial());
    int atOnce = now.instances() / teams * perInstance;
    Integer gpus = shares(group).lower(Math.min(group.trials(), atOnce) * now.gpusPerTrial());
    if (gpus == null) {
      return Optional.empty();
    }
    int perTrial = Math.max(1, gpus / group.trials());
    int instances = (gpus + offer.gpus() - 1) / offer.gpus();
    ScoredPlan to =
        score(from.plan().with(group.name(), new Allocation(offer.name(), instances, perTrial, 1)));
    double saved = from.costUsd() - to.costUsd();
    if (saved <= 1e-9 || to.completionS() > deadlineS) {
      return Optional.empty();
    }
    double lostS = to.completionS() - from.completionS();
    return Optional.of(new GreedyMove(to, lostS <= 0 ? Double.POSITIVE_INFINITY : saved / lostS));
  }

  /** Returns the total numbers of GPUs that a group may hold. */
  private NavigableSet<Integer> shares(TrialGroup group) {
    NavigableSet<Integer> shares = new TreeSet<>();
    for (int gpus : problem.profile(offer).orElseThrow().secondsByGpus().keySet()) {
      if (offer.isLegalSize(gpus)) {
        shares.add(group.trials() * gpus);
      }
    }
    for (int waves = 2; waves <= group.trials(); waves++) {
      shares.add((group.trials() + waves - 1) / waves);
    }
    shares.removeIf(gpus -> gpus > problem.limits().maxInstances() * offer.gpus());
    return shares;
  }
}
