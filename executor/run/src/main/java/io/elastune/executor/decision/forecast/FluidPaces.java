package io.elastune.executor.decision.forecast;

import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidProgress;
import io.elastune.executor.decision.model.TrialPace;
import java.util.Optional;

/** How fast trials are under Fluid, as far as it is known. */
record FluidPaces(FluidDefinition fluid, Optional<FluidProgress> progress) {
  /** Returns the seconds per unit of a trial relative to those of a trial of average speed. */
  double of(int trial) {
    return progress.map(known -> known.ratio(fluid, trial)).orElseGet(() -> fluid.factor(trial));
  }

  /** Whether the speed of a trial was measured. */
  boolean isMeasured(int trial) {
    return progress.filter(known -> known.paces().containsKey(trial)).isPresent();
  }

  /** Returns the mean pace of the trials of the group in progress; 1 if nothing is known. */
  double mean() {
    return progress
        .map(FluidProgress::paces)
        .map(paces -> paces.values().stream().mapToDouble(TrialPace::ratio).average().orElse(1))
        .orElse(1.0);
  }
}
