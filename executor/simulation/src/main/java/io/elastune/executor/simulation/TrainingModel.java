package io.elastune.executor.simulation;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Map;

/** Models the training in a simulated environment: durations, behavior and metrics. */
public interface TrainingModel {
  /**
   * Returns the timing and behavior of {@code attempt} on instances of {@code offer}. Called once
   * per attempt.
   */
  AttemptScript script(AttemptSpec attempt, Offer offer);

  /**
   * Returns the metrics of {@code trial} after {@code unit} units. Always returns the same values
   * for the same arguments.
   */
  Map<String, Double> metrics(int trial, int unit);
}
