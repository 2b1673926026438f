package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import java.util.ArrayList;
import java.util.List;

/** A decision core that notes the forecasts of the run after each report. */
final class ForecastRecorder {
  private final RunDefinition definition;
  private final RunCore core;
  private final List<Double> endS = new ArrayList<>();
  private final List<Double> usd = new ArrayList<>();
  private int lastWithSeveral;

  ForecastRecorder(RunDefinition definition) {
    this.definition = definition;
    this.core = new RunCore(definition);
  }

  /**
   * The errors of the forecasts of a run, relative to its end.
   *
   * @param time errors of its length
   * @param cost errors of its cost
   * @param severalRan how many of them preceded the last time at which several trials ran
   */
  record Errors(List<Double> time, List<Double> cost, int severalRan) {
    /** Returns the errors after the last time at which several trials ran. */
    List<Double> ofLastTrial() {
      return time.subList(severalRan, time.size());
    }

    double mean() {
      return time.stream().mapToDouble(error -> error).average().orElseThrow();
    }

    double meanAbsolute() {
      return time.stream().mapToDouble(Math::abs).average().orElseThrow();
    }

    double meanOfCost() {
      return cost.stream().mapToDouble(error -> error).average().orElseThrow();
    }
  }

  StepResult step(RunState state, RunEvent event) {
    StepResult result = core.step(state, event);
    RunState now = result.state();
    boolean isReport =
        event instanceof RunEvent.FromEngine engine
            && engine.event() instanceof EngineEvent.Reported;
    if (isReport && now.completedAt().isEmpty()) {
      Ledger ledger = Ledger.of(definition, now);
      endS.add(now.elapsedS() + ledger.remainingSeconds());
      usd.add(ledger.forecastUsd());
    }
    if (now.attempts().size() > 1) {
      lastWithSeveral = endS.size();
    }
    return result;
  }

  /** Returns the errors of what was noted. */
  Errors errors(RehearsedRun run) {
    return new Errors(
        endS.stream().map(end -> end / run.completionS() - 1).toList(),
        usd.stream().map(cost -> run.costUsd() > 0 ? cost / run.costUsd() - 1 : 0).toList(),
        lastWithSeveral);
  }
}
