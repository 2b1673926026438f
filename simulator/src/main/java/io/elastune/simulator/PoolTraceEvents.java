package io.elastune.simulator;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Task;
import java.util.List;
import java.util.OptionalInt;

/** Lists what happens in the first sample, without lost instances, of chains that share them. */
final class PoolTraceEvents {
  private final Problem problem;
  private final CompiledPoolPlan plan;
  private final GroupMembers members;

  PoolTraceEvents(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    this.problem = problem;
    this.plan = new CompiledPoolPlan(problem, plan, draws);
    this.members = GroupMembers.of(problem, ranks);
  }

  /** Returns the events in order; at one time, ends come before starts. */
  List<TraceEvent> events() {
    TraceRecorder recorder = new TraceRecorder(this::described, false);
    PoolSampler.trace(plan, recorder);
    return GroupTraceEvents.sorted(recorder.events());
  }

  private TraceEvent.Task described(Task task) {
    TrialGroup group = problem.workload().chains().get(task.queue()).groups().get(task.group());
    return new TraceEvent.Task(
        members.of(group).get(task.trial()),
        group.name(),
        group.toUnit() - group.units(),
        group.toUnit(),
        task.gpus(),
        1,
        OptionalInt.empty());
  }
}
