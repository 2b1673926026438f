package io.elastune.planner.pool;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.PresentGroup;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.evaluate.Finalists;
import io.elastune.planner.evaluate.SampleRoom;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.simulator.timeline.ChainsRest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Re-plans the rest of a run whose chains share instances (docs/searches.md, "Shared instances").
 * Trials in progress keep their GPUs. A new plan may have more instances, and other GPUs per trial
 * for groups that have not started. The rest is played with mean durations. The present plan and
 * the best others are sampled from the present state, with common random numbers.
 */
public final class PoolReplanner implements RestPlans {
  /** The most numbers of instances that are compared. */
  private static final int MOST_COUNTS = 16;

  private static final int MOST_ROUNDS = 3;

  private final Problem problem;
  private final Workload rest;
  private final PoolRest model;
  private final SampleRoom room;
  private final ChainsRest sampler;
  private final boolean refused;
  private final List<Boolean> changeable = new ArrayList<>();
  private final Optional<OfferChoice> offer;
  private final List<Integer> sizes;

  /**
   * Creates a re-planner for one state of a run.
   *
   * @param problem the offers and profiles as they are known now, and the limits of the run
   * @param snapshot the first group of each chain is in progress; the first chain has the instances
   * @param present these groups
   * @param name the offer of the pool
   * @param refused whether no more instances are available
   */
  public PoolReplanner(
      Problem problem,
      RunSnapshot snapshot,
      List<PresentGroup> present,
      String name,
      boolean refused) {
    this.refused = refused;
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
    this.room = new SampleRoom(rest.groups().stream().mapToLong(TrialGroup::trials).sum());
    this.sampler =
        new ChainsRest(
            this.problem,
            new ChainsRest.Start(
                snapshot.atS(), snapshot.settledUsd(), snapshot.chains().get(0).held(), present),
            room.samples());
    ChoiceSet choices =
        ChoiceSet.of(PoolChoices.withOneChain(this.problem), Map.of(name, model.held()));
    this.offer =
        choices.offerChoices().stream().filter(it -> it.offer().name().equals(name)).findFirst();
    this.sizes = offer.map(choice -> PoolChoices.sizes(choices, choice)).orElse(List.of());
  }

  @Override
  public Optional<PlanForecast> outlook(Plan plan) {
    return offer.map(choice -> sampled(candidate(choice, plan)));
  }

  /** Returns other plans, the one with the fewest instances first. */
  @Override
  public List<PlanForecast> alternatives(Plan current) {
    if (offer.isEmpty()) {
      return List.of();
    }
    OfferChoice choice = offer.get();
    PoolCandidate now = candidate(choice, current);
    Set<PoolCandidate> found = new LinkedHashSet<>();
    int held = model.held();
    int most = refused ? held : Math.max(held, model.mostInstances(choice, now.gpus()));
    for (int count : counts(Math.max(1, Math.min(most, Math.max(held, now.instances()))), most)) {
      PoolCandidate same = model.evaluate(choice, count, now.gpus());
      found.add(same);
      for (boolean isCheapest : new boolean[] {true, false}) {
        found.add(descend(choice, same, isCheapest));
      }
    }
    found.remove(now);
    if (found.isEmpty()) {
      return List.of();
    }
    double lateS = sampled(now).safeS() - now.completionS();
    double byS = problem.limits().deadlineOrInfinityS() - lateS;
    return new Finalists(List.of(byS), problem.limits().budgetOrInfinityUsd(), room.plans())
        .of(found).stream()
            .sorted(
                Comparator.comparingInt(PoolCandidate::instances)
                    .thenComparing(candidate -> candidate.gpus().toString()))
            .map(this::sampled)
            .toList();
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

  private PlanForecast sampled(PoolCandidate candidate) {
    Plan shared = candidate.plan(rest.groups(), false);
    Plan plan = new Plan(false, rest.chains().size() > 1, shared.allocations());
    return PlanForecast.of(
        plan, sampler.sample(plan, room.samples()), problem.limits().confidence());
  }
}
