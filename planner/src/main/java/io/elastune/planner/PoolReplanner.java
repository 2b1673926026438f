package io.elastune.planner;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PoolForecast;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.simulator.JointSamples;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Re-plans the rest of a run whose chains share instances (docs/searches.md, "Shared instances").
 * Trials in progress keep their GPUs. A new plan may have more instances, and other GPUs per trial
 * for groups that have not started. The rest is played with mean durations; a small sample of it
 * adds the delay by chance and by faults.
 */
public final class PoolReplanner implements PoolPlans {
  private static final int SAMPLES = 128;

  /** The most numbers of instances that are compared. */
  private static final int MOST_COUNTS = 16;

  private static final int MOST_ROUNDS = 3;

  private final Problem problem;
  private final Workload rest;
  private final PoolRest model;
  private final List<Boolean> changeable = new ArrayList<>();
  private final Optional<OfferChoice> offer;
  private final List<Integer> sizes;

  /**
   * The delay by chance and by faults.
   *
   * @param meanS what they add to the mean completion time
   * @param safeS what they add to it with the required confidence
   * @param usd what they add to the mean cost
   */
  private record Delay(double meanS, double safeS, double usd) {}

  /**
   * Creates a re-planner for one state of a run.
   *
   * @param problem the offers and profiles as they are known now, and the limits of the run
   * @param snapshot the first group of each chain is in progress; the first chain has the instances
   * @param name the offer of the pool
   */
  public PoolReplanner(Problem problem, RunSnapshot snapshot, String name) {
    List<Chain> chains = new ArrayList<>();
    for (RunSnapshot.ChainSnapshot chain : snapshot.chains()) {
      chains.add(new Chain(chain.name(), chain.left()));
      for (int i = 0; i < chain.left().size(); i++) {
        changeable.add(i > 0);
      }
    }
    this.rest = new Workload(chains);
    this.problem = problem.withWorkload(rest);
    this.model = new PoolRest(this.problem, snapshot);
    ChoiceSet choices =
        ChoiceSet.of(PoolPlanner.withOneChain(this.problem), Map.of(name, model.held()));
    this.offer =
        choices.offerChoices().stream().filter(it -> it.offer().name().equals(name)).findFirst();
    this.sizes =
        offer
            .map(new PoolSearch(this.problem, choices, () -> false, PlanProgress.NONE)::sizes)
            .orElse(List.of());
  }

  @Override
  public Optional<PoolForecast> outlook(Plan plan) {
    return offer.map(choice -> forecast(choice, candidate(choice, plan), delay(choice, plan)));
  }

  /** Returns other plans, the one with the fewest instances first. */
  @Override
  public List<PoolForecast> alternatives(Plan current, boolean refused) {
    if (offer.isEmpty()) {
      return List.of();
    }
    OfferChoice choice = offer.get();
    Delay delay = delay(choice, current);
    PoolCandidate now = candidate(choice, current);
    List<PoolForecast> found = new ArrayList<>();
    int held = model.held();
    int most = refused ? held : Math.max(held, model.mostInstances(choice, now.gpus()));
    for (int count : counts(Math.max(1, Math.min(most, Math.max(held, now.instances()))), most)) {
      PoolCandidate same = model.evaluate(choice, count, now.gpus());
      found.add(forecast(choice, same, delay));
      for (boolean isCheapest : new boolean[] {true, false}) {
        found.add(forecast(choice, descend(choice, same, isCheapest), delay));
      }
    }
    return found;
  }

  /** Returns numbers from {@code least} on, first each, then further apart. */
  private static List<Integer> counts(int least, int most) {
    List<Integer> counts = new ArrayList<>();
    for (int count = least; count <= most && counts.size() < MOST_COUNTS; ) {
      counts.add(count);
      count = Math.max(count + 1, counts.size() < MOST_COUNTS / 2 ? 0 : count * 5 / 4);
    }
    return counts;
  }

  /** Improves the GPUs per trial of groups that have not started, one group at a time. */
  private PoolCandidate descend(OfferChoice choice, PoolCandidate from, boolean isCheapest) {
    PoolCandidate best = from;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      PoolCandidate before = best;
      for (int group = 0; group < changeable.size(); group++) {
        int index = sizes.indexOf(best.gpus().get(group));
        for (int step : new int[] {1, -1}) {
          int other = index + step;
          if (changeable.get(group) && index >= 0 && other >= 0 && other < sizes.size()) {
            List<Integer> gpus = new ArrayList<>(best.gpus());
            gpus.set(group, sizes.get(other));
            best = better(best, model.evaluate(choice, from.instances(), gpus), isCheapest);
          }
        }
      }
      if (best.equals(before)) {
        break;
      }
    }
    return best;
  }

  private static PoolCandidate better(PoolCandidate one, PoolCandidate other, boolean isCheapest) {
    return isCheapest
        ? other.costUsd() < one.costUsd() ? other : one
        : other.completionS() < one.completionS() ? other : one;
  }

  private PoolCandidate candidate(OfferChoice choice, Plan plan) {
    return model.evaluate(choice, instances(plan), gpus(plan));
  }

  private int instances(Plan plan) {
    return plan.of(rest.groups().get(0)).instances();
  }

  private List<Integer> gpus(Plan plan) {
    return rest.groups().stream().map(group -> plan.of(group).gpusPerTrial()).toList();
  }

  private PoolForecast forecast(OfferChoice choice, PoolCandidate candidate, Delay delay) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    List<TrialGroup> groups = rest.groups();
    for (int i = 0; i < groups.size(); i++) {
      allocations.put(
          groups.get(i).name(),
          new Allocation(choice.offer().name(), candidate.instances(), candidate.gpus().get(i), 1));
    }
    return new PoolForecast(
        new Plan(false, rest.chains().size() > 1, allocations),
        candidate.completionS() + delay.meanS(),
        candidate.completionS() + delay.safeS(),
        candidate.costUsd() + delay.usd());
  }

  /** The plan in progress may exceed limits that have changed since, such as those of prices. */
  private Problem withoutLimits(int instances) {
    return problem.withLimits(
        LimitsBuilder.builder(problem.limits())
            .maxInstances(instances)
            .maxUsdPerHour(Double.POSITIVE_INFINITY)
            .quotas(List.of())
            .build());
  }

  /** Samples the rest as a search of its own, and compares it with its mean durations. */
  private Delay delay(OfferChoice choice, Plan current) {
    if (!choice.varies()) {
      return new Delay(0, 0, 0);
    }
    PoolCandidate mean =
        new PoolModel(problem).evaluate(choice, instances(current), gpus(current), false);
    Plan plan = mean.plan(rest.groups(), false);
    Plan legal = new Plan(false, rest.chains().size() > 1, plan.allocations());
    Simulator simulator = new Simulator(withoutLimits(instances(current)), SAMPLES);
    JointSamples samples = simulator.sample(legal);
    Estimate estimate = simulator.simulate(legal);
    double meanS = Math.max(0, estimate.completionS().mean() - mean.completionS());
    double confidence = problem.limits().confidence();
    return new Delay(
        meanS,
        Math.max(meanS, samples.safeDeadlineS(confidence) - mean.completionS()),
        Math.max(0, estimate.costUsd().mean() - mean.costUsd()));
  }
}
