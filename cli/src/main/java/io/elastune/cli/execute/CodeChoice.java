package io.elastune.cli.execute;

import java.util.Locale;

/** Which code a resumed run uses. */
public enum CodeChoice {
  /** The latest snapshot of the run. */
  SNAPSHOT,
  /** The present code of the workdir, as a new version. */
  CURRENT;

  /** Returns its name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
