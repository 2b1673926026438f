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
   * Returns the same for an attempt that the workers of the attempt before may continue. Called
   * once per attempt, instead of the other method.
   *
   * @param continues whether they do, so that it needs no start-up
   */
  default AttemptScript script(AttemptSpec attempt, Offer offer, boolean continues) {
    AttemptScript started = script(attempt, offer);
    return continues ? started.withoutStartup() : started;
  }

  /**
   * Returns the metrics of {@code trial} after {@code unit} units. Always returns the same values
   * for the same arguments.
   */
  Map<String, Double> metrics(int trial, int unit);
}
