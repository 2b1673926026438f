package io.elastune.executor.rehearsal;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;

/** What decides: the core, or in tests of the rehearsal itself one with a deliberate mistake. */
interface Decider {
  /** What follows from {@code event} in {@code state}. */
  Step step(RunState state, RunEvent event);
}
