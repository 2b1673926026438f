package io.elastune.cli.runs;

import io.elastune.executor.journal.RunMeta;
import java.nio.file.Files;

/** What the user may want to do after a run. */
final class NextStep {
  private final RunStatus status;
  private final RunRecord run;

  NextStep(RunStatus status, RunRecord run) {
    this.status = status;
    this.run = run;
  }

  String text() {
    if (!status.standing().over()) {
      return "elastune status " + run.run() + " --watch";
    }
    if (run.meta().kind() == RunMeta.Kind.PROFILE) {
      return "elastune profile " + run.meta().jobFile() + " measures again";
    }
    if (run.simulated()) {
      return "for real: elastune run " + run.meta().jobFile();
    }
    if (status.standing() == Standing.CRASHED) {
      return goOn("");
    }
    return switch (status.exit().orElse(0)) {
      case 0 -> trainOn();
      case 11 -> goOn(" --budget USD, with more than it had");
      case 13 -> late();
      case 14 -> goOn(", once there is capacity again");
      case 15 -> "mend the credentials, then " + goOn("");
      case 16 -> "see what failed: elastune logs " + run.run() + " [--setup]";
      case 20 -> "look in the cloud's own console: instances may still be billed; then " + goOn("");
      default -> goOn("");
    };
  }

  /** It has gone on to its end, only too late, unless it was to stop. */
  private String late() {
    return run.completed().isPresent()
        ? trainOn()
        : goOn(" --deadline WHEN, with more time than it had");
  }

  private String trainOn() {
    boolean kept = run.best().flatMap(run::checkpoint).filter(Files::exists).isPresent();
    return "train on "
        + (kept ? "from the best checkpoint, or " : "")
        + "with the best configuration";
  }

  private String goOn(String how) {
    return "go on: elastune resume " + run.run() + how;
  }
}
