package io.elastune.simulator;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import java.util.ArrayList;
import java.util.List;

/** A legal plan whose chains share instances, compiled for sampling. */
final class CompiledPoolPlan {
  final List<List<PoolGroup>> chains = new ArrayList<>();
  final int gpusPerInstance;
  final int instances;
  final boolean hold;
  final LeasePlan leases;

  /** By group of all chains: seconds of training, factors X of the trials, and start-ups. */
  final List<Double> workS = new ArrayList<>();

  final List<DrawTable> xs = new ArrayList<>();
  final List<DrawTable> startups = new ArrayList<>();

  /**
   * @param problem must allow {@code plan}, as {@link PlanRules} checks
   */
  CompiledPoolPlan(Problem problem, Plan plan, Draws draws) {
    Allocation first = plan.of(problem.workload().groups().get(0));
    Offer offer = problem.offer(first.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    gpusPerInstance = offer.gpus();
    hold = plan.hold();
    for (Chain chain : problem.workload().chains()) {
      chains.add(chain.groups().stream().map(group -> compile(group, plan, profile)).toList());
      for (TrialGroup group : chain.groups()) {
        xs.add(draws.trials(group, profile));
        startups.add(draws.startups(group, profile));
      }
    }
    instances = hold ? first.instances() : Math.min(first.instances(), neededInstances());
    leases = new LeasePlan(draws.samples(), draws.faultStreams(""));
    for (int number = 0; number < instances; number++) {
      leases.add(
          OfferRates.of(offer),
          FaultHazards.of(offer, profile),
          0,
          new LeasePlan.Tables(
              draws.queue("", number, offer),
              draws.boot("", number, offer),
              draws.slowness("", number, profile)),
          draws.noBootFailures());
    }
  }

  /** Instances that the chains can use at once: no others are requested. */
  private int neededInstances() {
    double demandGpus = 0;
    for (List<PoolGroup> chain : chains) {
      demandGpus += PoolRules.demandGpus(chain, gpusPerInstance);
    }
    return PoolRules.keptInstances(demandGpus, gpusPerInstance);
  }

  private PoolGroup compile(TrialGroup group, Plan plan, Profile profile) {
    int gpus = plan.of(group).gpusPerTrial();
    double trainingS = group.units() * profile.secondsPerUnit(gpus).orElseThrow();
    workS.add(trainingS);
    return new PoolGroup(group.trials(), gpus, profile.startupS().mean() + trainingS);
  }
}
