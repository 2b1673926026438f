package io.elastune.cli.run;

import io.elastune.executor.shell.RunListener;
import io.elastune.executor.shell.RunShell;
import io.elastune.executor.shell.RunSpec;

/** Where runs are carried out: in a cloud, on this machine, or in virtual time. */
interface Ground {
  /** What carries {@code spec} out there. */
  RunShell shell(RunSpec spec, RunListener listener);
}
