package io.elastune.simulator;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** Lists what happens in the first sample of a cluster that a policy divides among trials. */
final class PolicyTraceEvents {
  private final int instances;
  private final List<PolicyAttempt> attempts;
  private final IntToDoubleFunction readyS;
  private final Function<PolicyAttempt, TraceEvent.Task> tasks;

  private PolicyTraceEvents(
      int instances,
      List<PolicyAttempt> attempts,
      IntToDoubleFunction readyS,
      Function<PolicyAttempt, TraceEvent.Task> tasks) {
    this.instances = instances;
    this.attempts = attempts;
    this.readyS = readyS;
    this.tasks = tasks;
  }

  /** Plays the first sample of Fluid or Hermes. */
  static PolicyTraceEvents of(CompiledPolicyPlan plan) {
    PolicySampler sampler = new PolicySampler(plan, new StopCounts(), SamplingLimit.NONE.counter());
    return new PolicyTraceEvents(
        plan.instances,
        sampler.attempts(),
        sampler::readyS,
        attempt -> {
          TrialGroup group =
              plan.groups.stream()
                  .filter(one -> one.name().equals(attempt.group()))
                  .findFirst()
                  .orElseThrow();
          int trial = plan.members.get(plan.groups.indexOf(group)).get(attempt.start().trial() - 1);
          return task(attempt, trial, group.name(), group.toUnit() - group.units());
        });
  }

  /** Plays the first sample of a search made of rungs under Fluid. */
  static PolicyTraceEvents of(FluidRungSampler.Compiled plan) {
    RungRule rule = plan.rungs().search.rule();
    FluidRungSampler sampler =
        new FluidRungSampler(
            plan,
            new RungCounts(rule.targets().size()),
            new StopCounts(),
            SamplingLimit.NONE.counter());
    return new PolicyTraceEvents(
        plan.rungs().sizes.open().instances(),
        sampler.attempts(),
        sampler::readyS,
        attempt -> {
          int trial = attempt.start().trial();
          int rung = 0;
          while (!RungRule.name(rung).equals(attempt.group())) {
            rung++;
          }
          int before = rule.fromUnit(rule.shares().bracket(trial), rung);
          return task(attempt, trial, attempt.group(), before);
        });
  }

  /** Plays the first sample of HyperSched with learning curves. */
  static PolicyTraceEvents of(CompiledHyperSchedPlan plan) {
    HyperSchedSampler sampler =
        new HyperSchedSampler(
            plan,
            new RungCounts(plan.rungs.targets().size()),
            new StopCounts(),
            SamplingLimit.NONE.counter());
    return new PolicyTraceEvents(
        plan.instances,
        sampler.attempts(),
        sampler::readyS,
        attempt -> {
          int rung = 0;
          while (plan.rungs.target(rung) <= attempt.from()) {
            rung++;
          }
          return task(attempt, attempt.start().trial(), RungRule.name(rung), 0);
        });
  }

  /** Returns the events in order; at one time, ends come before starts. */
  List<TraceEvent> events() {
    List<TraceEvent> events = new ArrayList<>();
    double endS = 0;
    for (PolicyAttempt attempt : attempts) {
      TraceEvent.Task task = tasks.apply(attempt);
      int instance = attempt.start().instance();
      endS = Math.max(endS, attempt.endS());
      events.add(TraceEvent.of(attempt.startS(), TraceEvent.Kind.START, instance, task));
      events.add(TraceEvent.of(attempt.endS(), TraceEvent.Kind.END, instance, task));
    }
    for (int number = 0; number < instances; number++) {
      if (readyS.applyAsDouble(number) <= endS) {
        events.add(TraceEvent.of(readyS.applyAsDouble(number), TraceEvent.Kind.READY, number));
      }
      events.add(TraceEvent.of(endS, TraceEvent.Kind.RELEASE, number));
    }
    events.add(TraceEvent.of(endS, TraceEvent.Kind.FINISHED));
    return GroupTraceEvents.sorted(events);
  }

  /**
   * @param before the units of the trial before its task
   */
  private static TraceEvent.Task task(PolicyAttempt attempt, int trial, String group, int before) {
    return new TraceEvent.Task(
        trial,
        group,
        before + attempt.from(),
        before + attempt.to(),
        attempt.start().width().gpus(),
        attempt.start().width().trialsPerGpu(),
        OptionalInt.empty());
  }
}
