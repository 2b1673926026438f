package io.elastune.simulator;

import io.elastune.core.allocation.Holding;
import io.elastune.core.allocation.Slots;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;

/** A legal plan compiled into the data structures of the sampling loop. */
final class Program {
  private final Problem problem;
  private final Plan plan;
  private final ExecutionDag dag;
  private final Draws draws;
  private final Step[] steps;
  private final List<LeasePlan> leases = new ArrayList<>();

  Program(Problem problem, Plan plan, ExecutionDag dag, Draws draws) {
    this.problem = problem;
    this.plan = plan;
    this.dag = dag;
    this.draws = draws;
    List<Step> byGroup = new ArrayList<>();
    List<Chain> chains = problem.workload().chains();
    for (int chain = 0; chain < chains.size(); chain++) {
      compile(chains.get(chain), chain, byGroup);
    }
    int[] order = dag.order();
    steps = new Step[order.length];
    for (int i = 0; i < order.length; i++) {
      steps[i] = byGroup.get(order[i]);
    }
  }

  private void compile(Chain chain, int chainIndex, List<Step> byGroup) {
    LeasePlan leasePlan = new LeasePlan(draws.samples());
    List<Holding> holdings = Holding.of(chain, plan);
    for (int i = 0; i < holdings.size(); i++) {
      TrialGroup group = chain.groups().get(i);
      Offer offer = problem.offer(plan.of(group).offer()).orElseThrow();
      Holding holding = holdings.get(i);
      Rates rates = Rates.of(offer);
      for (int request = 0; request < holding.requested(); request++) {
        int number = leasePlan.size();
        leasePlan.add(
            rates,
            byGroup.size(),
            draws.queue(chain.name(), number, offer),
            draws.boot(chain.name(), number, offer),
            draws.slowness(chain.name(), number, problem.profile(offer).orElseThrow()));
      }
      boolean last = i + 1 == holdings.size();
      byGroup.add(step(group, byGroup.size(), chainIndex, offer, holding, last));
    }
    leases.add(leasePlan);
  }

  private Step step(
      TrialGroup group, int index, int chain, Offer offer, Holding holding, boolean last) {
    Allocation allocation = plan.of(group);
    Profile profile = problem.profile(offer).orElseThrow();
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow();
    return new Step(
        index,
        chain,
        dag.predecessors(index),
        group.trials(),
        group.units() * unitS,
        Slots.teamSize(offer, allocation),
        Slots.teams(offer, allocation),
        Slots.perTeam(offer, allocation),
        Slots.instanceShare(offer, allocation) / Slots.teamSize(offer, allocation),
        holding.requested(),
        holding.kept(),
        last,
        draws.trials(group, profile),
        draws.startups(group, profile));
  }

  /** Returns the groups in simulation order. */
  Step[] steps() {
    return steps;
  }

  /** Returns the leases by chain. */
  List<LeasePlan> leases() {
    return leases;
  }

  boolean hold() {
    return plan.hold();
  }
}
