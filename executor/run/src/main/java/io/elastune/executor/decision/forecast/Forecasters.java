package io.elastune.executor.decision.forecast;

import io.elastune.executor.decision.model.RunDefinition;

/** Chooses the forecaster of a run. */
final class Forecasters {
  private Forecasters() {}

  /** Returns the forecaster for the run of {@code basis}. */
  static Forecaster of(ForecastBasis basis) {
    RunDefinition definition = basis.definition();
    if (definition.dividesInstances()) {
      return new PolicyForecaster(basis);
    }
    if (definition.planning().isEmpty()) {
      return new PlannedForecaster(basis);
    }
    if (definition.plan().shared()) {
      return new PoolForecaster(basis);
    }
    return definition.workload().rungs().isPresent()
        ? new RungForecaster(basis)
        : new ChainForecaster(basis);
  }
}
