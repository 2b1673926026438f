package io.elastune.executor.replan;

import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;

/** Re-plans the rest of a run. */
public interface ReplanService {
  /**
   * Returns the predictions and the proposed plan for a run in this state. Called outside the run's
   * own thread.
   */
  ReplanResponse replan(ReplanRequest replanRequest);
}
