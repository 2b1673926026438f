package io.elastune.cli.service;

import io.elastune.core.field.Word;
import io.elastune.core.plan.Problem;
import io.elastune.executor.simulation.FaultRates;

/** How many faults are injected. */
public enum FaultLevel implements Word {
  NONE,
  NORMAL,
  HEAVY;

  /** Returns the problem that is planned and predicted, from that of the job. */
  Problem planned(Problem problem) {
    return switch (this) {
      case NONE -> problem.withoutFaults();
      case NORMAL -> problem.withDefaultFaults();
      case HEAVY -> problem;
    };
  }

  /** Returns the rates of faults that the environment adds to those of offers and profiles. */
  FaultRates added() {
    return switch (this) {
      case NONE, NORMAL -> FaultRates.NONE;
      case HEAVY -> FaultRates.HEAVY;
    };
  }
}
