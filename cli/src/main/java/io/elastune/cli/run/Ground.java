package io.elastune.cli.run;

import io.elastune.executor.shell.Advisers;
import io.elastune.executor.shell.RunListener;
import io.elastune.executor.shell.RunShell;
import io.elastune.executor.shell.RunSpec;
import java.util.Optional;

/** Where runs are carried out: in a cloud, on this machine, or in virtual time. */
interface Ground {
  /**
   * What carries {@code spec} out there.
   *
   * @param payer who may allow it more money; nobody where nobody sits at a terminal
   */
  RunShell shell(RunSpec spec, RunListener listener, Optional<Advisers.Payer> payer);
}
