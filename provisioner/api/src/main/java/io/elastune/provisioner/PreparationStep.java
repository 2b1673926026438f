package io.elastune.provisioner;

import java.util.Arrays;

/**
 * A step by which a booted instance becomes ready for trials. It may fail on one node and succeed
 * on others. Providers and engines repeat a failed step once on the same node before they report
 * {@link CloudEvent.PreparationFailed}.
 */
public enum PreparationStep {
  /** The node joins the cluster of the run. */
  JOIN("joining the cluster", 0),
  /** The node proves that it has what its offer states, such as GPUs that work. */
  ACCEPTANCE("node acceptance", 86),
  /** The node pulls the container image of the trials. */
  IMAGE("pulling trial.image", 87),
  /** The node runs the job's setup. */
  SETUP("setup", 0),
  /** Not recorded by the earlier version that ended the run with this failure. */
  UNKNOWN("setup", 0);

  private final String label;
  private final int exit;

  PreparationStep(String label, int exit) {
    this.label = label;
    this.exit = exit;
  }

  /** Returns the step as the subject of a sentence for users, such as {@code setup}. */
  public String label() {
    return label;
  }

  /**
   * Returns the exit code with which the script of several steps reports that this step failed.
   *
   * @throws IllegalStateException if the step has no exit code
   */
  public int exit() {
    if (exit == 0) {
      throw new IllegalStateException(this + " has no exit code");
    }
    return exit;
  }

  /**
   * Returns the step that failed, by the exit code of a script.
   *
   * @param script the step of the script itself, for all other exit codes
   */
  public static PreparationStep ofExit(int exit, PreparationStep script) {
    return Arrays.stream(values())
        .filter(step -> step.exit != 0 && step.exit == exit)
        .findFirst()
        .orElse(script);
  }
}
