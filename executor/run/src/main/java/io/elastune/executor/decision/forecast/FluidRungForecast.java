package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.TaskSource;
import io.elastune.core.policy.Width;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungTaskSource;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * Forecasts the rest of a search made of rungs under Fluid: plays it from the present state, with
 * mean durations, {@link PresentRanks} and the paces of the trials. The unit that a trial trains
 * now counts as not begun.
 *
 * @param leftS seconds to the time that ends the search; infinite without one
 * @param pace returns the seconds per unit of a trial relative to the mean
 */
record FluidRungForecast(
    RunState state, RungRule rule, FluidDefinition fluid, double leftS, IntToDoubleFunction pace) {

  /**
   * Returns the seconds until the search ends.
   *
   * @param rungs the state of the search
   * @param gpusPerInstance GPUs of each instance
   * @param readyS by instance: the seconds until it is ready
   */
  double seconds(RungState rungs, int gpusPerInstance, double[] readyS) {
    List<TaskSource.Task> begun = new ArrayList<>();
    rungs
        .tasks()
        .forEach(
            (trial, rung) ->
                begun.add(new TaskSource.Task(trial, RungRule.name(rung), unitsLeft(trial, rung))));
    RungTaskSource source =
        new RungTaskSource(
            rule,
            rungs,
            begun,
            readyS.length * gpusPerInstance,
            new PresentRanks(rungs, rule.shares()));
    source.stopAt(leftS, rule.newUnitS());
    return new PolicyTimeline<>(
            FluidPolicy.ofOpenGroup(fluid.rule(), fluid), gpusPerInstance, readyS)
        .run(RungTaskSource.GROUP, source, 0, new Means());
  }

  private int unitsLeft(int trial, int rung) {
    TrialState known = state.trials().get(trial);
    int resumed = rule.fromScratch() || known == null ? 0 : known.checkpoint();
    int reached = attempt(trial).map(AttemptState::lastUnit).orElse(resumed);
    return Math.max(1, rule.target(rung) - reached);
  }

  private Optional<AttemptState> attempt(int trial) {
    return state.attempts().values().stream()
        .filter(attempt -> attempt.trial() == trial && attempt.isActive())
        .findFirst();
  }

  /** Mean durations at the pace of each trial. */
  private final class Means implements GroupTimeline.Model {
    @Override
    public double startupS(int trial, boolean isFirst) {
      boolean isTraining =
          isFirst && attempt(trial).filter(one -> one.lastUnit() > one.from()).isPresent();
      return isTraining ? 0 : fluid.startupS();
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return fluid.perUnit(width) * pace.applyAsDouble(trial);
    }

    @Override
    public double checkpointS(int trial) {
      return fluid.checkpointS();
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return pace.applyAsDouble(trial);
    }

    @Override
    public PolicyView.Timing timing(double nowS) {
      return new PolicyView.Timing(leftS - nowS, 0, 0);
    }

    @Override
    public double loss(int trial, int unit) {
      return Double.NaN; // Fluid uses no metrics
    }
  }
}
