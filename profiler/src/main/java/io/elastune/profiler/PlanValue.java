package io.elastune.profiler;

import io.elastune.core.profile.Profile;
import java.util.Optional;

/** Plans a job with hypothetical measurements, to find what they are worth. */
public interface PlanValue {
  /**
   * What the best plan takes.
   *
   * @param usd its predicted mean cost
   * @param completionS its predicted mean completion time
   */
  record Worth(double usd, double completionS) {}

  /** Returns the best plan if the program has this profile; empty if none meets the limits. */
  Optional<Worth> of(Profile profile);

  /**
   * Whether plans are compared by completion time instead of cost: the job has no deadline, or
   * prefers the fastest plan.
   */
  boolean isTimed();
}
