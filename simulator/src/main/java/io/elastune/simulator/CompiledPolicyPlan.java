package io.elastune.simulator;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HermesTimeline;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A legal plan of a cluster whose trial groups Fluid or Hermes divides it among, compiled for
 * sampling.
 */
final class CompiledPolicyPlan {
  final List<TrialGroup> groups;
  final int instances;

  /** Creates the timeline of a cluster whose instances are ready at given times. */
  final Function<double[], GroupTimeline> timelines;

  /** Opens the losses of the trials. */
  final Supplier<LossDraws> losses;

  /** By group: the trials in it, if learning curves decide. */
  final List<List<Integer>> members;

  /** By group and trial: after how many units it ends the search; see {@link Draws#targets}. */
  final List<int[]> targets = new ArrayList<>();

  final WidthSeconds seconds;
  final double checkpointS;
  final LeasePlan leases;

  /** By group: the factors X of the trials, and their start-ups. */
  final List<DrawTable> xs = new ArrayList<>();

  final List<DrawTable> startups = new ArrayList<>();

  /** By group: the part of X that the profile expects, if it expects anything. */
  final List<Optional<DrawTable>> expected = new ArrayList<>();

  private CompiledPolicyPlan(
      Problem problem,
      Plan plan,
      Draws draws,
      RankModel ranks,
      Function<double[], GroupTimeline> timelines,
      Supplier<LossDraws> losses) {
    this.timelines = timelines;
    this.losses = losses;
    groups = problem.workload().groups();
    GroupMembers byGroup = GroupMembers.of(problem, ranks);
    members = groups.stream().map(byGroup::of).toList();
    Allocation allocation = plan.of(groups.get(0));
    Offer offer = offer(problem, plan);
    Profile profile = problem.profile(offer).orElseThrow();
    instances = allocation.instances();
    seconds = FluidRules.seconds(profile);
    checkpointS = profile.checkpointS().mean();
    leases = LeasePlan.ofPool(instances, offer, profile, draws);
    for (TrialGroup group : groups) {
      xs.add(draws.trialsWithFaults(group, profile, CheckpointSchedule.ASSUMED));
      startups.add(draws.startupsWithFaults(group, profile));
      targets.add(draws.targets(group));
      expected.add(draws.expected(group, profile));
    }
  }

  /**
   * Compiles a plan of a problem with policy Fluid.
   *
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  static CompiledPolicyPlan ofFluid(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    Offer offer = offer(problem, plan);
    Profile profile = problem.profile(offer).orElseThrow();
    FluidPolicy policy =
        new FluidPolicy(FluidRules.of(problem, offer), FluidRules.seconds(profile));
    return new CompiledPolicyPlan(
        problem,
        plan,
        draws,
        ranks,
        readyS -> new PolicyTimeline<>(policy, offer.gpus(), readyS),
        LossDraws::none);
  }

  /**
   * Compiles a plan of a problem with policy Hermes.
   *
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  static CompiledPolicyPlan ofHermes(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    HermesOptions options = problem.hermes().orElseThrow();
    int gpus = offer(problem, plan).gpus();
    DrawTable qualities = draws.qualities(problem.workload().trials());
    return new CompiledPolicyPlan(
        problem,
        plan,
        draws,
        ranks,
        readyS -> new HermesTimeline(options.rule(), gpus, readyS),
        () -> LossDraws.of(ranks, qualities, options.isMinimized()));
  }

  private static Offer offer(Problem problem, Plan plan) {
    Allocation allocation = plan.of(problem.workload().groups().get(0));
    return problem.offer(allocation.offer()).orElseThrow();
  }
}
