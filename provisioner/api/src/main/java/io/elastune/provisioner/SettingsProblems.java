package io.elastune.provisioner;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import java.util.List;

/** Collects the problems of a part of {@code clouds.yaml}. */
public final class SettingsProblems {
  private SettingsProblems() {}

  /** Returns the problems that reading a part reports; none if it cannot be read at all. */
  public static List<FileProblem> of(Runnable reading) {
    try {
      reading.run();
      return List.of();
    } catch (FileProblemsException e) {
      return e.problems();
    } catch (CloudException e) {
      return List.of();
    }
  }
}
