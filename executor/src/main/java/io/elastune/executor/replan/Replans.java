package io.elastune.executor.replan;

import io.elastune.executor.core.Answer;
import io.elastune.executor.core.Question;

/** Whoever plans the rest of a run anew. */
public interface Replans {
  /** What should become of a run that stands so; asked off the run's own thread. */
  Answer answer(Question question);
}
