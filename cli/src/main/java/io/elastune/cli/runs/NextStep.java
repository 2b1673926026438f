package io.elastune.cli.runs;

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
    if (status.standing() == Standing.CRASHED) {
      return "elastune status " + run.run() + ", then " + again("");
    }
    return switch (status.exit().orElse(0)) {
      case 0 -> "train on from the best checkpoint, or with the best configuration";
      case 11 -> again(" with more budget");
      case 13 -> again(" with more time, if you need it done");
      case 14 -> again(" with other offers, or once there is capacity again");
      case 15 -> "mend the credentials, then " + again("");
      case 16 -> "see what failed: elastune logs " + run.run() + " [--setup]";
      case 20 -> "look in the cloud's own console: instances may still be billed";
      default -> again("");
    };
  }

  private String again(String how) {
    return "elastune run " + run.meta().jobFile() + how;
  }
}
