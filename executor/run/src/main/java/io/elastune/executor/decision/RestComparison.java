package io.elastune.executor.decision;

import io.elastune.core.job.Preference;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.planner.api.Knee;

/**
 * The rest of a run by its present plan and by a new one; both meet the limits.
 *
 * @param staySeconds the time left by the present plan
 * @param stayUsd what is still to be spent by it
 * @param moveSeconds the time left by the new plan
 * @param moveUsd what is still to be spent by it
 */
record RestComparison(double staySeconds, double stayUsd, double moveSeconds, double moveUsd) {
  /** Returns whether the new plan is better by more than the error of the predictions. */
  boolean isBetter(Preference preference) {
    return switch (preference.rule()) {
      case CHEAPEST -> stayUsd - moveUsd > ReplanResponse.MIN_GAIN_FRACTION * stayUsd;
      case FASTEST -> staySeconds - moveSeconds > ReplanResponse.MIN_GAIN_FRACTION * staySeconds;
      case HOUR_WORTH -> {
        double stay = preference.valueUsd(staySeconds, stayUsd);
        yield stay - preference.valueUsd(moveSeconds, moveUsd)
            > ReplanResponse.MIN_GAIN_FRACTION * stay;
      }
      case BALANCED ->
          Math.max(
                  Knee.gain(moveSeconds, moveUsd, staySeconds, stayUsd),
                  Knee.gain(moveUsd, moveSeconds, stayUsd, staySeconds))
              > ReplanResponse.MIN_GAIN_FRACTION;
    };
  }
}
