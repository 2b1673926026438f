package io.elastune.cli.inspect;

import io.elastune.cli.text.JobCommand;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.executor.decision.model.FailedTrialRetry;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.CannotResumeException;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunMeta;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Suggests the user's next command after a run. */
final class NextStep {
  private final RunStatus status;
  private final RunRecord run;

  NextStep(RunStatus status, RunRecord run) {
    this.status = status;
    this.run = run;
  }

  String text() {
    if (!status.standing().isOver()) {
      return "elastune status " + run.run() + " --watch";
    }
    if (run.meta().kind() == RunMeta.Kind.PROFILE) {
      return JobCommand.of("profile", run.meta().jobFile()) + " profiles it again";
    }
    if (run.simulated()) {
      return realRun();
    }
    if (status.standing() == RunStateLabel.CRASHED) {
      return resume("");
    }
    return switch (status.outcome()) {
      case COMPLETED -> continueTraining();
      case BUDGET_REACHED -> resume(" --budget USD, with a higher budget");
      case DEADLINE_MISSED -> late();
      case NO_CAPACITY -> resume(", once capacity is available");
      case NO_PERMISSION -> "fix the credentials, then " + resume("");
      case TRIALS_FAILED -> retry();
      case CLEANUP_UNCONFIRMED ->
          "check the provider's console: instances may still be billed; then " + resume("");
      default -> resume("");
    };
  }

  private String realRun() {
    Set<String> providers =
        run.groups().stream()
            .map(group -> group.offer().split("/", -1)[1])
            .collect(Collectors.toCollection(TreeSet::new));
    return RunProviders.problem(providers)
        .map(problem -> "none: " + problem.reason() + "; " + problem.remedy())
        .orElse("real run: " + JobCommand.of("run", run.meta().jobFile()));
  }

  /** The run completed after its deadline, unless deadline_miss stopped it. */
  private String late() {
    return run.completed().isPresent()
        ? continueTraining()
        : resume(" --deadline WHEN, with a later deadline");
  }

  private String continueTraining() {
    boolean kept = run.best().flatMap(run::intactCheckpoint).isPresent();
    return (kept ? "continue from the best checkpoint, or retrain" : "retrain")
        + " with the best configuration"
        + (canRetry()
            ? "; retry failed trials after a correction: "
                + ResumeCommands.retryCorrected(run.run())
            : "");
  }

  /** Returns whether {@code resume --retry-failed} would retry a trial. */
  private boolean canRetry() {
    if (status.trials().failed() == 0) {
      return false;
    }
    try {
      RunState state = ReplayedRun.read(run.folder()).state();
      return !FailedTrialRetry.of(state).retried().isEmpty();
    } catch (CannotResumeException | JournalException e) {
      return false; // the report shows what can be read
    }
  }

  /** Failed trials can be retried; a failed setup or an unusable metric has none. */
  private String retry() {
    String logs = "see what failed: elastune logs " + run.run() + " [--setup]";
    return canRetry()
        ? logs + "; after a correction: " + ResumeCommands.retryCorrected(run.run())
        : logs;
  }

  private String resume(String how) {
    return "resume it: " + ResumeCommands.resume(run.run()) + how;
  }
}
