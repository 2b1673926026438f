package io.elastune.cli.text;

/** The {@code elastune resume} commands that messages suggest. */
public final class ResumeCommands {
  private ResumeCommands() {}

  /** Returns the command that resumes a run. */
  public static String resume(String run) {
    return "elastune resume " + run;
  }

  /** Returns the command that also retries failed trials, with the code of the snapshot. */
  public static String retryFailed(String run) {
    return resume(run) + " --retry-failed";
  }

  /** Returns the command that retries failed trials after a correction of the code. */
  public static String retryCorrected(String run) {
    return retryFailed(run) + " --code current";
  }
}
