package io.elastune.executor.code;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

  /** Removes the copies of this version from the working folders of all trials. */
  public void removeCopies() {
    Path parent = trialFolder(1).resolveSibling("");
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "trial-*")) {
      for (Path folder : folders) {
        new TrialFolder(snapshot, folder).prune();
      }
    } catch (NoSuchFileException e) {
      return; // no attempt has started
    } catch (IOException e) {
      throw CodeException.of("cannot remove the earlier code from " + parent, e);
    }
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
