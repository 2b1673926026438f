package io.elastune.core.job;

import java.util.Optional;

/**
 * When a search ends before all its trials have.
 *
 * @param trained fully trained trials after which it ends
 * @param target the metric at which it ends
 */
public record SearchStop(Optional<Integer> trained, Optional<Double> target) {}
