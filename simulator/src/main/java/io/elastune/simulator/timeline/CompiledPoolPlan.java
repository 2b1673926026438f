package io.elastune.simulator.timeline;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A legal plan whose chains share instances, compiled for sampling. */
final class CompiledPoolPlan {
  final List<List<PoolGroup>> chains = new ArrayList<>();

  /** The groups of all chains in order, compiled. */
  final List<CompiledGroup> groups = new ArrayList<>();

  final int gpusPerInstance;
  final int instances;
  final boolean hold;
  final boolean hasFaults;

  /** Whether the programs of trials wait for their next units, and which trials continue. */
  final boolean keepAlive;

  final ContinuingDraws.Tables continuing;

  /** Whether trials fill one instance after the other, because only use is billed. */
  final boolean fills;

  final LeasePlan leases;
  final FaultHazards hazards;

  /** Mean seconds to write a checkpoint. */
  final double checkpointS;

  /** The leases of a plan. */
  interface Leases {
    /** Returns the leases if the plan requests so many instances. */
    LeasePlan of(int instances, Offer offer, Profile profile);
  }

  /**
   * @param problem must allow {@code plan}, as {@link PlanRules} checks
   */
  CompiledPoolPlan(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    this(
        problem,
        plan,
        draws,
        ranks,
        (instances, offer, profile) -> LeasePlan.ofPool(instances, offer, profile, draws));
  }

  /** Compiles a plan with other leases, such as those of a run that holds some. */
  CompiledPoolPlan(Problem problem, Plan plan, Draws draws, RankModel ranks, Leases planned) {
    Allocation first = plan.of(problem.workload().groups().get(0));
    Offer offer = problem.offer(first.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    gpusPerInstance = offer.gpus();
    hold = plan.hold();
    hasFaults = problem.hasFaults();
    hazards = FaultHazards.of(offer, profile, problem.silence());
    keepAlive = problem.keepAlive();
    continuing = ContinuingDraws.Tables.of(problem, draws, ranks);
    fills = offer.billing().per() == BillingTerms.Per.USE;
    checkpointS = profile.checkpointS().mean();
    for (Chain chain : problem.workload().chains()) {
      List<PoolGroup> own = new ArrayList<>();
      for (TrialGroup group : chain.groups()) {
        CompiledGroup compiled = compile(group, plan.of(group).gpusPerTrial(), profile, draws);
        groups.add(compiled);
        own.add(
            new PoolGroup(
                group.trials(),
                plan.of(group).gpusPerTrial(),
                profile.startupS().mean() + compiled.workS()));
      }
      chains.add(own);
    }
    int requested = hold ? first.instances() : Math.min(first.instances(), neededInstances());
    leases = planned.of(requested, offer, profile);
    instances = leases.size();
  }

  /** Instances that the chains can use at once: no others are requested. */
  private int neededInstances() {
    double demandGpus = 0;
    for (List<PoolGroup> chain : chains) {
      demandGpus += PoolRules.demandGpus(chain, gpusPerInstance);
    }
    return PoolRules.keptInstances(demandGpus, gpusPerInstance);
  }

  /** Returns by chain what its groups train. */
  List<List<ChainsRun.Group>> units() {
    List<List<ChainsRun.Group>> units = new ArrayList<>();
    int next = 0;
    for (List<PoolGroup> chain : chains) {
      List<ChainsRun.Group> of = new ArrayList<>();
      for (PoolGroup group : chain) {
        of.add(new ChainsRun.Group(group.trials(), 0, groups.get(next++).units()));
      }
      units.add(of);
    }
    return units;
  }

  private CompiledGroup compile(TrialGroup group, int gpus, Profile profile, Draws draws) {
    // Groups have no instances of their own: what concerns those stays 0.
    return draws
        .trialsOf(group, profile, CheckpointSchedule.ASSUMED, hazards)
        .group(groups.size())
        .chain(chains.size())
        .after(new int[0])
        .workS(group.units() * profile.secondsPerUnit(gpus).orElseThrow())
        .teamSize(1)
        .perTeam(gpusPerInstance / gpus)
        .share((double) gpus / gpusPerInstance)
        .build();
  }

  /** Describes the tasks of a search whose chains share instances. */
  static TaskDescription description(Problem problem, RankModel ranks) {
    GroupMembers members = GroupMembers.of(problem, ranks);
    return (task, from, to) -> {
      TrialGroup group = problem.workload().chains().get(task.queue()).groups().get(task.group());
      int before = group.toUnit() - group.units();
      return new TraceEvent.Task(
          members.of(group).get(task.trial()),
          group.name(),
          before + from,
          before + to,
          task.gpus(),
          1,
          OptionalInt.empty());
    };
  }
}
