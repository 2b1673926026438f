package io.elastune.simulator.timeline;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.group.GroupTraceEvents;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.SampleCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A legal plan whose samples are played on a timeline: its chains share instances, its search is
 * made of rungs, a policy divides a fixed cluster, or the programs of trials wait for the next
 * group of their trial.
 */
public final class TimelinePlan {
  private static final int PHASES = 2;

  private final Samplers samplers;
  private final Traces traces;

  /** The number of samples; 1 if nothing varies. */
  public final int samples;

  /** Whether a policy may end and continue tasks at any time. */
  final boolean dividesTasks;

  /** Whether its groups are the phases open and closing of a search made of rungs. */
  final boolean hasRungs;

  private interface Samplers {
    BlockSampler of(SampleCounters counters);
  }

  private interface Traces {
    List<TimelineTrace> get();
  }

  private interface OneSampler {
    TimelineSampler of(SampleCounters counters, boolean hasFaults);
  }

  private TimelinePlan(
      Problem problem, Draws draws, OneSampler sampler, Supplier<TaskDescription> description) {
    this(
        problem,
        draws,
        counters -> sampler.of(counters, true),
        () ->
            List.of(
                new TimelineTrace(sampler.of(SampleCounters.unused(), false), description.get())));
  }

  private TimelinePlan(Problem problem, Draws draws, Samplers samplers, Traces traces) {
    samples = draws.samples();
    this.samplers = samplers;
    this.traces = traces;
    dividesTasks = problem.policy().choosesSizes();
    hasRungs = problem.workload().rungs().isPresent();
  }

  /**
   * Compiles a plan; empty if its groups have instances of their own, and no program waits for the
   * next group of its trial.
   *
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  public static Optional<TimelinePlan> of(
      Problem problem, Plan plan, Draws draws, RankModel ranks) {
    return switch (problem.policy().type()) {
      case LIST -> ofList(problem, plan, draws, ranks);
      case FLUID -> Optional.of(ofFluid(problem, plan, draws, ranks));
      case HERMES ->
          Optional.of(
              ofPolicy(problem, draws, CompiledPolicyPlan.ofHermes(problem, plan, draws, ranks)));
      case HYPERSCHED ->
          Optional.of(
              ofHyperSched(
                  problem, draws, new CompiledHyperSchedPlan(problem, plan, draws, ranks)));
    };
  }

  private static Optional<TimelinePlan> ofList(
      Problem problem, Plan plan, Draws draws, RankModel ranks) {
    if (problem.workload().rungs().isPresent()) {
      return Optional.of(
          ofRungs(problem, draws, new CompiledRungPlan(problem, plan, draws, ranks)));
    }
    if (plan.shared()) {
      return Optional.of(
          ofPool(problem, draws, new CompiledPoolPlan(problem, plan, draws, ranks), ranks));
    }
    return CompiledChain.mayWait(problem)
        ? Optional.of(ofChains(problem, plan, draws, ranks))
        : Optional.empty();
  }

  private static TimelinePlan ofFluid(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    return problem.workload().rungs().isPresent()
        ? ofFluidRungs(problem, draws, PlayedRungs.Compiled.of(problem, plan, draws, ranks))
        : ofPolicy(problem, draws, CompiledPolicyPlan.ofFluid(problem, plan, draws, ranks));
  }

  private static TimelinePlan ofChains(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    CompiledPlan compiled =
        new CompiledPlan(problem, plan, new ExecutionDag(problem.workload()), draws);
    List<CompiledChain> chains = CompiledChain.withPlaces(problem, plan, compiled, draws, ranks);
    int groups = problem.workload().groups().size();
    return new TimelinePlan(
        problem,
        draws,
        counters -> {
          CostTotals totals = new CostTotals(groups);
          return new ChainsSampler(
              chains.stream()
                  .map(
                      chain ->
                          new ChainSampler(chain, totals, counters.tasks(), problem.hasFaults()))
                  .toList(),
              totals);
        },
        () -> {
          GroupMembers members = GroupMembers.of(problem, ranks);
          return IntStream.range(0, chains.size())
              .mapToObj(
                  chain ->
                      new TimelineTrace(
                          new ChainSampler(
                              chains.get(chain),
                              new CostTotals(groups),
                              SampleCounters.unused().tasks(),
                              false),
                          CompiledChain.description(
                              problem.workload().chains().get(chain), members)))
              .toList();
        });
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
  public BlockSampler sampler(SampleCounters counters) {
    return samplers.of(counters);
  }

  /**
   * Returns the traces of samples without lost instances and failed attempts: one for each chain
   * with instances of its own, otherwise a single one.
   */
  public List<TimelineTrace> traces() {
    return traces.get();
  }

  /** Returns the traces of the first sample, which has been played. */
  private List<TimelineTrace> firstTraces() {
    List<TimelineTrace> played = traces();
    var unused = TimelineTrace.play(played, 0);
    return played;
  }

  /** Returns the events of the first sample in order, as {@code simulate --trace} shows them. */
  public List<TraceEvent> firstEvents() {
    boolean hasPhases = hasRungs && !dividesTasks;
    List<TimelineTrace> played = firstTraces();
    List<TraceEvent> events = new ArrayList<>();
    played.forEach(trace -> events.addAll(trace.events(dividesTasks, hasPhases)));
    if (played.size() > 1) {
      double endS = played.stream().mapToDouble(TimelineTrace::endS).max().orElseThrow();
      events.removeIf(event -> event.kind() == TraceEvent.Kind.FINISHED);
      events.add(TraceEvent.of(endS, TraceEvent.Kind.FINISHED));
    }
    return hasPhases ? events : GroupTraceEvents.sorted(events);
  }

  /** Returns the completed DAG of the first sample without lost instances and failed attempts. */
  public CompletedDag firstDag(Problem problem) {
    return TimelineDag.of(problem, firstTraces());
  }
}
