package io.elastune.simulator.timeline;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.group.GroupTraceEvents;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.SampleCounters;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A legal plan whose samples are played on a timeline: its chains share instances, its search is
 * made of rungs, or a policy divides a fixed cluster.
 */
public final class TimelinePlan {
  private static final int PHASES = 2;

  private final Samplers samplers;
  private final Supplier<TaskDescription> description;

  /** The number of samples; 1 if nothing varies. */
  public final int samples;

  /** Whether a policy may end and continue tasks at any time. */
  final boolean dividesTasks;

  /** Whether its groups are the phases open and closing of a search made of rungs. */
  final boolean hasRungs;

  private interface Samplers {
    TimelineSampler of(SampleCounters counters, boolean hasFaults);
  }

  private TimelinePlan(
      Problem problem, Draws draws, Samplers samplers, Supplier<TaskDescription> description) {
    samples = draws.samples();
    this.samplers = samplers;
    this.description = description;
    dividesTasks = problem.policy().choosesSizes();
    hasRungs = problem.workload().rungs().isPresent();
  }

  /**
   * Compiles a plan; empty if its groups have instances of their own.
   *
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  public static Optional<TimelinePlan> of(
      Problem problem, Plan plan, Draws draws, RankModel ranks) {
    boolean hasRungs = problem.workload().rungs().isPresent();
    if (problem.hyperSched().isPresent()) {
      return Optional.of(
          ofHyperSched(problem, draws, new CompiledHyperSchedPlan(problem, plan, draws, ranks)));
    }
    if (hasRungs && problem.fluid().isPresent()) {
      return Optional.of(
          ofFluidRungs(problem, draws, PlayedRungs.Compiled.of(problem, plan, draws, ranks)));
    }
    if (hasRungs) {
      return Optional.of(
          ofRungs(problem, draws, new CompiledRungPlan(problem, plan, draws, ranks)));
    }
    if (plan.shared()) {
      return Optional.of(ofPool(problem, draws, new CompiledPoolPlan(problem, plan, draws), ranks));
    }
    if (problem.fluid().isPresent()) {
      return Optional.of(
          ofPolicy(problem, draws, CompiledPolicyPlan.ofFluid(problem, plan, draws, ranks)));
    }
    return problem.hermes().isPresent()
        ? Optional.of(
            ofPolicy(problem, draws, CompiledPolicyPlan.ofHermes(problem, plan, draws, ranks)))
        : Optional.empty();
  }

  private static TimelinePlan ofRungs(Problem problem, Draws draws, CompiledRungPlan plan) {
    return new TimelinePlan(
        problem,
        draws,
        (counters, hasFaults) -> new RungSampler(plan, counters, hasFaults && plan.hasFaults),
        () -> PlayedRungs::described);
  }

  private static TimelinePlan ofPool(
      Problem problem, Draws draws, CompiledPoolPlan plan, RankModel ranks) {
    return new TimelinePlan(
        problem,
        draws,
        (counters, hasFaults) ->
            new PoolSampler(plan, counters.tasks(), hasFaults && plan.hasFaults),
        () -> CompiledPoolPlan.description(problem, ranks));
  }

  private static TimelinePlan ofFluidRungs(
      Problem problem, Draws draws, PlayedRungs.Compiled plan) {
    return new TimelinePlan(
        problem,
        draws,
        (counters, hasFaults) ->
            new PolicySampler(new PlayedRungs(plan, counters.tasks()), PHASES, counters, hasFaults),
        () -> PlayedRungs::described);
  }

  private static TimelinePlan ofHyperSched(
      Problem problem, Draws draws, CompiledHyperSchedPlan plan) {
    return new TimelinePlan(
        problem,
        draws,
        (counters, hasFaults) ->
            new PolicySampler(
                new PlayedHyperSched(plan, counters.tasks()), PHASES, counters, hasFaults),
        () -> plan::described);
  }

  private static TimelinePlan ofPolicy(Problem problem, Draws draws, CompiledPolicyPlan plan) {
    return new TimelinePlan(
        problem,
        draws,
        (counters, hasFaults) ->
            new PolicySampler(
                new PlayedGroups(plan, counters.tasks()), plan.groups.size(), counters, hasFaults),
        () -> plan::described);
  }

  /** Creates a sampler of the plan. */
  public TimelineSampler sampler(SampleCounters counters) {
    return samplers.of(counters, true);
  }

  /** Returns the traces of samples without lost instances and failed attempts. */
  public TimelineTrace traces() {
    return new TimelineTrace(samplers.of(SampleCounters.unused(), false), description.get());
  }

  /** Returns the events of the first sample in order, as {@code simulate --trace} shows them. */
  public List<TraceEvent> firstEvents() {
    TimelineTrace trace = traces();
    var unused = trace.play(0);
    boolean hasPhases = hasRungs && !dividesTasks;
    List<TraceEvent> events = trace.events(dividesTasks, hasPhases);
    return hasPhases ? events : GroupTraceEvents.sorted(events);
  }

  /** Returns the completed DAG of the first sample without lost instances and failed attempts. */
  public CompletedDag firstDag(Problem problem) {
    TimelineTrace trace = traces();
    var unused = trace.play(0);
    return new TimelineDag(problem, trace).dag();
  }
}
