package io.elastune.simulator.timeline;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.HermesRun;
import io.elastune.core.timeline.PolicyRun;
import io.elastune.core.timeline.SearchRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * A legal plan of a cluster whose trial groups Fluid or Hermes divides it among, compiled for
 * sampling.
 */
final class CompiledPolicyPlan {
  final List<TrialGroup> groups;
  final int instances;

  final int gpus;

  /** Creates the policy. */
  final Policies policies;

  /** Opens the losses of the trials. */
  final Supplier<LossDraws> losses;

  /** By group: the trials in it, if learning curves decide. */
  final List<List<Integer>> members;

  /** By group and trial: after how many units it ends the search; see {@link Draws#targets}. */
  final List<int[]> targets = new ArrayList<>();

  final WidthSeconds seconds;

  /** Seconds per unit with the slowest width, by which trials are taken to hang. */
  final double slowestUnitS;

  final double checkpointS;

  /** Whether the programs of trials wait for their next units, and which trials continue. */
  final boolean keepAlive;

  final ContinuingDraws.Tables continuing;
  final boolean hasFaults;
  final FaultHazards hazards;
  final LeasePlan leases;

  /** By group: the factors X of the trials, their start-ups, and which checkpoints are torn. */
  final List<DrawTable> xs = new ArrayList<>();

  final List<DrawTable> startups = new ArrayList<>();

  final List<TornCheckpoints.Tables> torn = new ArrayList<>();

  /** By group: the part of X that the profile expects, if it expects anything. */
  final List<Optional<DrawTable>> expected = new ArrayList<>();

  /** By group: uniform draws of trials, and the streams of what follows their faults. */
  final List<DrawTable> faults = new ArrayList<>();

  final List<RandomStreams> faultStreams = new ArrayList<>();

  /** Creates a policy for a search. */
  interface Policies {
    PolicyRun of(SearchRun search, TrialTimes times, CompiledPolicyPlan plan);
  }

  private CompiledPolicyPlan(
      Problem problem,
      Plan plan,
      Draws draws,
      RankModel ranks,
      Policies policies,
      double slowestUnitS,
      Supplier<LossDraws> losses) {
    this.policies = policies;
    this.slowestUnitS = slowestUnitS;
    this.losses = losses;
    groups = problem.workload().groups();
    GroupMembers byGroup = GroupMembers.of(problem, ranks);
    members = groups.stream().map(byGroup::of).toList();
    Allocation allocation = plan.of(groups.get(0));
    Offer offer = offer(problem, plan);
    Profile profile = problem.profile(offer).orElseThrow();
    instances = allocation.instances();
    gpus = offer.gpus();
    keepAlive = problem.keepAlive();
    continuing = ContinuingDraws.Tables.of(problem, draws, ranks);
    hasFaults = problem.hasFaults();
    hazards = FaultHazards.of(offer, profile, problem.silence());
    seconds = FluidRules.seconds(profile);
    checkpointS = profile.checkpointS().mean();
    leases = LeasePlan.ofPool(instances, offer, profile, draws);
    for (TrialGroup group : groups) {
      xs.add(draws.trials(group, profile));
      startups.add(draws.startups(group, profile));
      torn.add(draws.torn(group, profile));
      targets.add(draws.targets(group));
      expected.add(draws.expected(group, profile));
      faults.add(draws.trialFaults(group));
      faultStreams.add(draws.trialFaultStreams(group));
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
    FluidRule rule = FluidRules.of(problem, offer);
    WidthSeconds seconds = FluidRules.seconds(profile);
    FluidPolicy policy = new FluidPolicy(rule, seconds);
    return new CompiledPolicyPlan(
        problem,
        plan,
        draws,
        ranks,
        (search, times, compiled) ->
            new ViewPolicy<>(
                policy,
                search,
                times,
                new ViewPolicy.Cluster(
                    compiled.instances,
                    compiled.gpus,
                    Admission.ALL,
                    group -> compiled.groups.get(group).name(),
                    PolicyView.Timing.NONE)),
        slowestUnitS(rule.sizes(), rule.share(), seconds),
        LossDraws::none);
  }

  /** Returns the seconds per unit with the slowest width that a policy allows. */
  static double slowestUnitS(Collection<Integer> sizes, int share, WidthSeconds seconds) {
    double slowestS = share > 1 ? seconds.perUnit(Width.shared(share)) : 0;
    for (int size : sizes) {
      slowestS = Math.max(slowestS, seconds.perUnit(Width.of(size)));
    }
    return slowestS;
  }

  /**
   * Compiles a plan of a problem with policy Hermes.
   *
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  static CompiledPolicyPlan ofHermes(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    HermesOptions options = problem.hermes().orElseThrow();
    Profile profile = problem.profile(offer(problem, plan)).orElseThrow();
    DrawTable qualities = draws.qualities(problem.workload().trials());
    return new CompiledPolicyPlan(
        problem,
        plan,
        draws,
        ranks,
        (search, times, compiled) ->
            new HermesRun(options.rule(), search, times, compiled.instances, compiled.gpus),
        FluidRules.seconds(profile).perUnit(Width.of(1)),
        () -> LossDraws.of(ranks, qualities, options.isMinimized()));
  }

  private static Offer offer(Problem problem, Plan plan) {
    Allocation allocation = plan.of(problem.workload().groups().get(0));
    return problem.offer(allocation.offer()).orElseThrow();
  }

  /** Describes a task of which some units were trained. */
  TraceEvent.Task described(Task task, int from, int to) {
    TrialGroup group = groups.get(task.group());
    int before = group.toUnit() - group.units();
    return new TraceEvent.Task(
        members.get(task.group()).get(task.trial()),
        group.name(),
        before + from,
        before + to,
        task.gpus(),
        task.trialsPerGpu(),
        OptionalInt.empty());
  }
}
