package io.elastune.simulator;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolTask;
import io.elastune.core.search.PoolTimeline;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Lists what happens in the first sample, without lost instances, of chains that share them. */
final class PoolTraceEvents {
  private final Problem problem;
  private final CompiledPoolPlan plan;
  private final GroupMembers members;
  private final List<TraceEvent> events = new ArrayList<>();

  PoolTraceEvents(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    this.problem = problem;
    this.plan = new CompiledPoolPlan(problem, plan, draws);
    this.members = GroupMembers.of(problem, ranks);
  }

  /** Returns the events in order; at one time, ends come before starts. */
  List<TraceEvent> events() {
    PoolSampler sampler = new PoolSampler(plan, SamplingLimit.NONE.counter());
    PoolTimeline timeline = sampler.play(0);
    double endS = 0;
    for (PoolTask played : timeline.tasks()) {
      TraceEvent.Task task = task(played);
      endS = Math.max(endS, played.endS());
      events.add(TraceEvent.of(played.startS(), TraceEvent.Kind.START, played.instance(), task));
      events.add(TraceEvent.of(played.endS(), TraceEvent.Kind.END, played.instance(), task));
    }
    for (int number = 0; number < plan.instances; number++) {
      double readyS = sampler.readyS(number);
      if (readyS <= timeline.releasedS[number]) {
        events.add(TraceEvent.of(readyS, TraceEvent.Kind.READY, number));
      }
      events.add(TraceEvent.of(timeline.releasedS[number], TraceEvent.Kind.RELEASE, number));
    }
    events.add(TraceEvent.of(endS, TraceEvent.Kind.FINISHED));
    return GroupTraceEvents.sorted(events);
  }

  private TraceEvent.Task task(PoolTask played) {
    TrialGroup group = problem.workload().chains().get(played.chain()).groups().get(played.group());
    return new TraceEvent.Task(
        members.of(group).get(played.trial()),
        group.name(),
        group.toUnit() - group.units(),
        group.toUnit(),
        played.gpus(),
        1,
        OptionalInt.empty());
  }
}
