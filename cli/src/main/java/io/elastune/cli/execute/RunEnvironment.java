package io.elastune.cli.execute;

import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunSpec;
import java.util.Optional;

/** Creates the controller of a run for one environment: a cloud, this machine or virtual time. */
interface RunEnvironment {
  /**
   * Creates the controller that executes {@code spec}.
   *
   * @param budgetApprover approves budget increases; empty without a terminal
   */
  RunController createController(
      RunSpec spec, RunListener listener, Optional<Advisors.BudgetApprover> budgetApprover);
}
