package io.elastune.executor.code;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The code that a run uses now.
 *
 * @param work the folder for the working folders of the trials
 */
public record RunCode(CodeSnapshot snapshot, Path work) {
  /** Returns the folder in which {@code setup} runs. */
  public Path setupFolder() {
    return snapshot.folder();
  }

  /** Returns the working folder of a trial. */
  public Path trialFolder(int trial) {
    return TrialFolder.pathOf(work, snapshot, trial);
  }

  /** Creates the folders above the working folders of the trials. */
  public void createWork() {
    try {
      TrialFolder.createParent(work, snapshot);
    } catch (IOException e) {
      throw CodeException.of("cannot create " + work, e);
    }
  }
}
