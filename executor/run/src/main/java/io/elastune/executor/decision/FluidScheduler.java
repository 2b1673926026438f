package io.elastune.executor.decision;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidState;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidProgress;
import io.elastune.executor.decision.model.TrialPace;
import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs trial groups, or the tasks of a search made of rungs, on a fixed cluster that {@link
 * FluidPolicy} divides among the trials (docs/searches.md, "Fluid"). Groups begin and end as under
 * list scheduling.
 */
final class FluidScheduler {
  private static final int CHAIN = PolicyGroups.CHAIN;

  private final Transition transition;
  private final FluidDefinition fluid;
  private final FluidPolicy policy;
  private final PolicyTasks tasks;

  private FluidScheduler(Transition transition) {
    this.transition = transition;
    this.fluid = transition.definition.fluid().orElseThrow();
    Optional<RungRule> rungs = transition.definition.workload().rungs();
    this.policy =
        rungs.isPresent()
            ? FluidPolicy.ofOpenGroup(fluid.rule(), fluid)
            : new FluidPolicy(fluid.rule(), fluid);
    this.tasks =
        rungs.isPresent() ? new RungGroup(transition, rungs.get()) : new PolicyGroups(transition);
  }

  /** Whether Fluid divides the instances of the run. */
  static boolean handles(Transition transition) {
    return transition.definition.fluid().isPresent();
  }

  /** Starts the trials for which there are GPUs, changes widths, and ends completed groups. */
  static void advance(Transition transition) {
    PolicyGroups.advance(transition, now -> new FluidScheduler(now).assign());
  }

  /** Starts tasks of a search made of rungs for which there are GPUs, and changes widths. */
  static void divide(Transition transition) {
    new FluidScheduler(transition).assign();
  }

  /** Records that the task of a trial in a search made of rungs has ended. */
  static void ended(Transition transition, int trial) {
    FluidScheduler scheduler = new FluidScheduler(transition);
    FluidProgress progress = scheduler.progress();
    scheduler.store(progress.with(scheduler.policy.ended(progress.state(), trial)).without(trial));
  }

  /**
   * Records how fast a trial is, and lets it change its width at the end of a unit.
   *
   * @param before the attempt before the report
   */
  static void reported(Transition transition, AttemptState before, EngineEvent.Reported event) {
    if (!PolicyGroups.isNew(transition, before, event)) {
      return;
    }
    FluidScheduler scheduler = new FluidScheduler(transition);
    scheduler.measure(before, event.unit(), event.at());
    if (scheduler.policy.usesUnitEnds(scheduler.progress().state())) {
      scheduler.assign();
    }
  }

  private void measure(AttemptState before, int unit, Instant at) {
    boolean isFirst = !before.hasReported();
    boolean isPrompt = transition.isPrompt(at);
    if (before.ending() != AttemptState.EndReason.NOT
        || before.wasSuspended()
        || (isFirst && !isPrompt)) {
      return; // the start of these units is unknown
    }
    double seconds = Seconds.between(before.reportedAt(), at);
    double predictedS = (unit - before.lastUnit()) * fluid.perUnit(before.width());
    FluidProgress progress = progress();
    TrialPace pace = progress.pace(before.trial());
    boolean waited =
        TrialReports.wasWaiting(transition, before, seconds, predictedS, fluid.startupS());
    TrialPace measured =
        isFirst
            ? pace.afterFirstReport(seconds - (waited ? 0 : fluid.startupS()), predictedS)
            : pace.afterLaterReport(seconds, predictedS);
    store(progress.with(before.trial(), measured));
  }

  private FluidProgress progress() {
    return transition
        .chain(CHAIN)
        .fluid()
        .orElseGet(() -> new FluidProgress(policy.initial(), new TreeMap<>()));
  }

  private void store(FluidProgress progress) {
    transition.chain(CHAIN, transition.chain(CHAIN).withFluid(progress));
  }

  private void assign() {
    FluidProgress progress = progress();
    PolicyStep<FluidState> step = policy.assign(progress.state(), tasks.view(this::task));
    store(progress.with(step.state()));
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        tasks.start(start);
      } else if (decision instanceof PolicyDecision.Resize resize) {
        resize(resize);
      }
    }
  }

  private PolicyView.Task task(int trial, int unitsLeft) {
    return new PolicyView.Task(trial, unitsLeft, progress().ratio(fluid, trial));
  }

  /** The trial completes its unit, writes a checkpoint, and waits with its new width. */
  private void resize(PolicyDecision.Resize resize) {
    double unitS = fluid.perUnit(resize.from()) * progress().ratio(fluid, resize.trial());
    tasks.cluster().resize(resize, unitS, fluid.checkpointS());
  }
}
