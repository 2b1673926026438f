package io.elastune.simulator;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.PolicyState;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Lists what happens in the first sample of a cluster that Fluid or Hermes divides among trials.
 */
final class PolicyTraceEvents<P extends PolicyState> {
  private final CompiledPolicyPlan<P> plan;
  private final GroupMembers members;
  private final List<TraceEvent> events = new ArrayList<>();

  PolicyTraceEvents(Problem problem, CompiledPolicyPlan<P> plan, RankModel ranks) {
    this.plan = plan;
    this.members = GroupMembers.of(problem, ranks);
  }

  /** Returns the events in order; at one time, ends come before starts. */
  List<TraceEvent> events() {
    PolicySampler<P> sampler = new PolicySampler<>(plan);
    double endS = 0;
    for (PolicyAttempt attempt : sampler.attempts()) {
      TraceEvent.Task task = task(attempt);
      int instance = attempt.start().instance();
      endS = Math.max(endS, attempt.endS());
      events.add(TraceEvent.of(attempt.startS(), TraceEvent.Kind.START, instance, task));
      events.add(TraceEvent.of(attempt.endS(), TraceEvent.Kind.END, instance, task));
    }
    for (int number = 0; number < plan.instances; number++) {
      if (sampler.readyS(number) <= endS) {
        events.add(TraceEvent.of(sampler.readyS(number), TraceEvent.Kind.READY, number));
      }
      events.add(TraceEvent.of(endS, TraceEvent.Kind.RELEASE, number));
    }
    events.add(TraceEvent.of(endS, TraceEvent.Kind.FINISHED));
    return GroupTraceEvents.sorted(events);
  }

  private TraceEvent.Task task(PolicyAttempt attempt) {
    TrialGroup group =
        plan.groups.stream()
            .filter(one -> one.name().equals(attempt.group()))
            .findFirst()
            .orElseThrow();
    int before = group.toUnit() - group.units();
    return new TraceEvent.Task(
        members.of(group).get(attempt.start().trial() - 1),
        group.name(),
        before + attempt.from(),
        before + attempt.to(),
        attempt.start().width().gpus(),
        attempt.start().width().trialsPerGpu(),
        OptionalInt.empty());
  }
}
