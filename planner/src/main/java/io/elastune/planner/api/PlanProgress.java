package io.elastune.planner.api;

/** Receives how far planning is. Several threads may report. */
@FunctionalInterface
public interface PlanProgress {
  /** Ignores progress. */
  PlanProgress NONE = (unit, done, most) -> {};

  /** The unit of a final estimate. */
  String SAMPLES = "samples";

  /**
   * Reports progress of the present phase, which the unit identifies.
   *
   * @param unit what is counted, in the plural
   * @param done how many of them are done, not always in order; 0 begins the phase
   * @param most how many it will be, at most
   */
  void at(String unit, int done, int most);
}
