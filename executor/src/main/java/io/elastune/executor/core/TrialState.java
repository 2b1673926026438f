package io.elastune.executor.core;

import java.util.OptionalDouble;

/**
 * One trial as the core knows it.
 *
 * @param trial its number, from 1
 * @param chain the index of its chain
 * @param unit units at the end of the last group that it ended
 * @param metric what it reported there; empty before the first group's end
 * @param checkpoint units of its newest committed checkpoint; 0 for none
 * @param failures attempts that failed
 * @param retries attempts that asked to be retried
 * @param attempts attempts started
 */
public record TrialState(
    int trial,
    int chain,
    Status status,
    int unit,
    OptionalDouble metric,
    int checkpoint,
    int failures,
    int retries,
    int attempts) {
  /** Where a trial stands. */
  public enum Status {
    /** For a slot, or for the group's other trials. */
    WAITING,
    RUNNING,
    /** Trained to the end of its chain. */
    COMPLETED,
    /** Not among those that went on. */
    STOPPED,
    /** Failed too often. */
    FAILED
  }

  static TrialState fresh(int trial, int chain) {
    return new TrialState(trial, chain, Status.WAITING, 0, OptionalDouble.empty(), 0, 0, 0, 0);
  }

  /** Whether {@code attempt} is its last one so far, and has been taken for ended. */
  public boolean isLastEnded(String attempt) {
    return status != Status.RUNNING && attempts == AttemptState.numberOf(attempt);
  }

  TrialState as(Status other) {
    return new TrialState(
        trial, chain, other, unit, metric, checkpoint, failures, retries, attempts);
  }

  TrialState started() {
    return new TrialState(
        trial, chain, Status.RUNNING, unit, metric, checkpoint, failures, retries, attempts + 1);
  }

  TrialState reached(int units, double value) {
    return new TrialState(
        trial,
        chain,
        Status.WAITING,
        units,
        OptionalDouble.of(value),
        checkpoint,
        failures,
        retries,
        attempts);
  }

  TrialState committed(int units) {
    return new TrialState(trial, chain, status, unit, metric, units, failures, retries, attempts);
  }

  TrialState failed() {
    return new TrialState(
        trial, chain, Status.WAITING, unit, metric, checkpoint, failures + 1, retries, attempts);
  }

  TrialState retried() {
    return new TrialState(
        trial, chain, Status.WAITING, unit, metric, checkpoint, failures, retries + 1, attempts);
  }
}
