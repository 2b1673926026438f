package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.Allocation;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.TrialDuration;

/** The expected durations in the present state of a run, in seconds from now. */
interface ForecastBasis {
  /** The measured ratio of the seconds per unit to those of the profile. */
  double pace();

  /** Returns the duration of a trial of an allocation. */
  TrialDuration speed(Allocation allocation);

  /** Returns the seconds that an attempt still needs. */
  double leftS(AttemptState attempt, TrialDuration trialDuration);

  /** Returns the seconds until a chain without capacity requests its instances again. */
  double retryInS(int chain);

  /** Returns the seconds until an instance is ready; negative for one that is late. */
  double readyS(LeaseState lease);

  /** Returns the seconds until an instance is billed; negative for one that is late. */
  double runningS(LeaseState lease);

  /** Returns the cost in USD of the instances that a chain holds, for the next seconds. */
  double heldUsd(int chain, double seconds);
}
