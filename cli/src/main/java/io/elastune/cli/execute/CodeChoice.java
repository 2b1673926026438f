package io.elastune.cli.execute;

import io.elastune.core.field.Word;

/** Which code a resumed run uses. */
public enum CodeChoice implements Word {
  /** The latest snapshot of the run. */
  SNAPSHOT,
  /** The present code of the workdir, as a new version. */
  CURRENT
}
