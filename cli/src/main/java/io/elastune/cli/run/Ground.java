package io.elastune.cli.run;

import io.elastune.executor.shell.Advisers;
import io.elastune.executor.shell.RunListener;
import io.elastune.executor.shell.RunShell;
import io.elastune.executor.shell.RunSpec;
import java.util.Optional;

/** Creates the controller of a run for one environment: a cloud, this machine or virtual time. */
interface Ground {
  /**
   * Creates the controller that executes {@code spec}.
   *
   * @param payer approves budget increases; empty without a terminal
   */
  RunShell shell(RunSpec spec, RunListener listener, Optional<Advisers.Payer> payer);
}
