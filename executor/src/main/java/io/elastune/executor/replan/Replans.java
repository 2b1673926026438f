package io.elastune.executor.replan;

import io.elastune.executor.core.Answer;
import io.elastune.executor.core.Question;

/** Re-plans the rest of a run. */
public interface Replans {
  /**
   * Returns the predictions and the proposed plan for a run in this state. Called outside the run's
   * own thread.
   */
  Answer answer(Question question);
}
