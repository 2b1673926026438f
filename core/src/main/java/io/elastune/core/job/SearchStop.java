package io.elastune.core.job;

import io.elastune.core.plan.RungRule;
import java.util.Optional;

/**
 * When a search ends before all its trials have.
 *
 * @param trained fully trained trials after which it ends
 * @param target the metric at which it ends
 * @param time when it ends, with whatever it has reached
 */
public record SearchStop(
    Optional<Integer> trained, Optional<Double> target, Optional<RungRule.TimeLimit> time) {
  /** Whether it ends although the number of its trials is not limited. */
  public boolean isSufficient() {
    return trained.isPresent() || time.isPresent();
  }
}
