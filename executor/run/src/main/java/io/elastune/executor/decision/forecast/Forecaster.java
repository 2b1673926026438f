package io.elastune.executor.decision.forecast;

import io.elastune.executor.decision.model.RunDefinition;

/**
 * Forecasts the rest of a run from its present state, with every duration at its mean. All
 * forecasters use the durations and costs of one {@link ForecastBasis}; they differ in how the
 * trials share the instances.
 */
interface Forecaster {
  /** Returns the forecast of the whole rest of the run, without faults. */
  RestForecast forecast();

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
