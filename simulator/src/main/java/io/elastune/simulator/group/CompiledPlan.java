package io.elastune.simulator.group;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.GroupHolding;
import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.simulator.draw.DrawDistributions;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.instance.PresentInstances;
import io.elastune.simulator.instance.Promotion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A legal plan compiled into the data structures of the sampling loop. */
public final class CompiledPlan {
  private final Problem problem;
  private final Plan plan;
  private final ExecutionDag dag;
  private final Draws draws;
  private final List<PresentInstances> present;
  private final CompiledGroup[] compiledGroups;
  private final List<LeasePlan> leases = new ArrayList<>();

  /** By step: on what the samples of the group depend, beside the steps before. */
  private final List<Step> stepsInOrder;

  private record Step(
      int group, Allocation allocation, int requested, int kept, boolean hasPromotion) {}

  /** The first groups of a plan, as it allocates them. Plans with the same have equal samples. */
  private record FirstSteps(boolean hold, List<Step> steps) {}

  public CompiledPlan(Problem problem, Plan plan, ExecutionDag dag, Draws draws) {
    this(problem, plan, dag, draws, List.of());
  }

  /**
   * Compiles a plan for the rest of a run.
   *
   * @param present by chain: the instances that it holds; empty if no chain has begun
   */
  public CompiledPlan(
      Problem problem, Plan plan, ExecutionDag dag, Draws draws, List<PresentInstances> present) {
    this.present = present;
    this.problem = problem;
    this.plan = plan;
    this.dag = dag;
    this.draws = draws;
    List<CompiledGroup> byGroup = new ArrayList<>();
    List<Chain> chains = problem.workload().chains();
    for (int chain = 0; chain < chains.size(); chain++) {
      compile(chains.get(chain), chain, byGroup);
    }
    int[] order = dag.order();
    compiledGroups = new CompiledGroup[order.length];
    for (int i = 0; i < order.length; i++) {
      compiledGroups[i] = byGroup.get(order[i]);
    }
    List<TrialGroup> groups = problem.workload().groups();
    stepsInOrder =
        Stream.of(compiledGroups)
            .map(
                step ->
                    new Step(
                        step.group(),
                        plan.of(groups.get(step.group())),
                        step.requested(),
                        step.kept(),
                        step.promotion().isPresent()))
            .toList();
  }

  private void compile(Chain chain, int chainIndex, List<CompiledGroup> byGroup) {
    LeasePlan leasePlan = new LeasePlan(draws.samples(), draws.faultStreams(chain.name()));
    List<GroupHolding> groupHoldings = GroupHolding.of(chain, plan);
    PresentInstances before = present.isEmpty() ? PresentInstances.NONE : present.get(chainIndex);
    int kept = before.kept(plan.of(chain.groups().get(0)));
    for (int i = 0; i < groupHoldings.size(); i++) {
      TrialGroup group = chain.groups().get(i);
      Offer offer = problem.offer(plan.of(group).offer()).orElseThrow();
      GroupHolding groupHolding = groupHoldings.get(i);
      Profile profile = problem.profile(offer).orElseThrow();
      FaultHazards hazards = FaultHazards.of(offer, profile, problem.silence());
      for (int request = 0; request < groupHolding.requested(); request++) {
        int own = leasePlan.size();
        boolean isHeld = own < kept;
        leasePlan.add(
            isHeld ? Optional.of(before.held().get(own)) : Optional.empty(),
            before.fromS(),
            byGroup.size(),
            chain.name(),
            // Draws belong to an instance that is held, whether it is kept or not.
            isHeld ? own : before.held().size() + own - kept,
            offer,
            profile,
            draws);
      }
      boolean last = i + 1 == groupHoldings.size();
      Optional<Promotion> promotion =
          last
              ? Optional.empty()
              : promotion(group, chain.groups().get(i + 1), offer, groupHolding.kept());
      byGroup.add(
          step(group, byGroup.size(), chainIndex, offer, groupHolding, last, hazards, promotion));
    }
    leases.add(leasePlan);
  }

  /**
   * Returns the trials of {@code group} that continue on {@code kept} of its instances, if these
   * differ in speed and have more slots than the next group has trials. Where only use is billed,
   * trials fill one instance after the other.
   */
  private Optional<Promotion> promotion(TrialGroup group, TrialGroup next, Offer offer, int kept) {
    Allocation allocation = plan.of(next);
    Profile profile = problem.profile(offer).orElseThrow();
    boolean matters =
        next.fromUnit() > 0
            && offer.billing().per() == BillingTerms.Per.INSTANCE
            && DrawDistributions.ofInstance(profile).varies()
            && kept
                    / SlotCounts.teamSize(offer, allocation)
                    * SlotCounts.trialsPerTeam(offer, allocation)
                > next.trials();
    int trials = Math.min(group.trials(), next.trials());
    return matters
        ? Optional.of(new Promotion(trials, draws.promotionKeys(group)))
        : Optional.empty();
  }

  private CompiledGroup step(
      TrialGroup group,
      int index,
      int chain,
      Offer offer,
      GroupHolding groupHolding,
      boolean last,
      FaultHazards hazards,
      Optional<Promotion> promotion) {
    Allocation allocation = plan.of(group);
    Profile profile =
        TrialsAtOnce.of(problem.profile(offer).orElseThrow(), group, offer, allocation);
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow();
    CheckpointSchedule checkpoints = CheckpointSchedule.of(group, offer, profile, allocation);
    return draws
        .trialsOf(group, profile, checkpoints, hazards)
        .group(index)
        .chain(chain)
        .after(dag.predecessors(index))
        .workS(group.units() * unitS + checkpoints.overheadS())
        .teamSize(SlotCounts.teamSize(offer, allocation))
        .teams(SlotCounts.teams(offer, allocation))
        .perTeam(SlotCounts.trialsPerTeam(offer, allocation))
        .share(SlotCounts.instanceShare(offer, allocation) / SlotCounts.teamSize(offer, allocation))
        .requested(groupHolding.requested())
        .kept(groupHolding.kept())
        .spare(allocation.spare())
        .last(last)
        .promotion(promotion)
        .build();
  }

  /** Returns the groups in simulation order. */
  public CompiledGroup[] steps() {
    return compiledGroups;
  }

  /**
   * Returns what the plan decides about the first groups in simulation order, up to that at an
   * index: the samples of plans with equal ones do not differ until then.
   */
  Object firstSteps(int last) {
    return new FirstSteps(plan.hold(), stepsInOrder.subList(0, last + 1));
  }

  /** Returns the leases by chain. */
  public List<LeasePlan> leases() {
    return leases;
  }

  /** Returns whether faults can occur. */
  public boolean hasFaults() {
    return problem.hasFaults();
  }

  public boolean hold() {
    return plan.hold();
  }
}
