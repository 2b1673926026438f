package io.elastune.plan;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.TraceEvent;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.PlanFigures;
import io.elastune.plan.json.RungsDocument;
import io.elastune.plan.json.SimulationDocument;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Optional;

/**
 * The prediction of a given plan, with its inputs.
 *
 * @param contributions how each group contributes; empty if learning curves decide
 * @param trace the events of the first sample, if requested
 */
public record PlanPrediction(
    Inputs inputs,
    Problem problem,
    Plan plan,
    Estimate estimate,
    PlanFigures figures,
    Optional<Contributions> contributions,
    List<TraceEvent> trace) {
  /** The maximum number of samples, unless the user names another one. */
  public static final int SAMPLES = 10_000;

  public PlanPrediction {
    trace = List.copyOf(trace);
  }

  /**
   * Returns the prediction from samples.
   *
   * @param ranks the order of the trials
   * @param trace the events of the first sample, if requested
   */
  public static PlanPrediction of(
      Inputs inputs,
      Problem problem,
      Plan plan,
      RankModel ranks,
      IncrementalSampling sampling,
      List<TraceEvent> trace) {
    return new PlanPrediction(
        inputs,
        problem,
        plan,
        sampling.estimate(),
        new PlanFigures(problem, plan, ranks, sampling),
        ranks.curves().isPresent()
            ? Optional.empty()
            : Optional.of(Contributions.of(problem, plan)),
        trace);
  }

  /** Returns the document of {@code simulate --json}. */
  public SimulationDocument document() {
    return SimulationDocument.of(
        estimate,
        figures.spendingGuardUsd(),
        problem.workload().rungs().isPresent()
            ? Optional.of(RungsDocument.of(problem, estimate, figures.rungTasks()))
            : Optional.empty(),
        figures.stops(),
        contributions,
        trace);
  }
}
