package io.elastune.simulator;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;

/** A legal plan of a cluster that Fluid divides among trials, compiled for sampling. */
final class CompiledFluidPlan {
  final List<TrialGroup> groups;
  final int instances;
  final int gpus;
  final FluidPolicy policy;
  final WidthSeconds seconds;
  final double checkpointS;
  final LeasePlan leases;

  /** By group: the factors X of the trials, and their start-ups. */
  final List<DrawTable> xs = new ArrayList<>();

  final List<DrawTable> startups = new ArrayList<>();

  /**
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  CompiledFluidPlan(Problem problem, Plan plan, Draws draws) {
    groups = problem.workload().groups();
    Allocation allocation = plan.of(groups.get(0));
    Offer offer = problem.offer(allocation.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    instances = allocation.instances();
    gpus = offer.gpus();
    seconds = FluidRules.seconds(profile);
    policy = new FluidPolicy(FluidRules.of(problem, offer), seconds);
    checkpointS = profile.checkpointS().mean();
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
    for (TrialGroup group : groups) {
      xs.add(draws.trials(group, profile));
      startups.add(draws.startups(group, profile));
    }
  }
}
