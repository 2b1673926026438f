package io.elastune.executor.decision.forecast;

/**
 * Forecasts the rest of a run from its present state, with every duration at its mean. All
 * forecasters use the durations and costs of one {@link ForecastBasis}; they differ in how the
 * trials share the instances.
 */
interface Forecaster {
  /** Returns the forecast of the whole rest of the run, without faults. */
  RestForecast forecast();
}
