package io.elastune.cli.inspect;

import io.elastune.cli.text.ResumeCommands;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.util.ServiceLoader;
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
      return "elastune profile " + run.meta().jobFile() + " profiles it again";
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
      case INTERRUPTED, TERMINATED -> resume("");
    };
  }

  /** A real run can use only providers with an engine. */
  private String realRun() {
    Set<String> unavailable =
        run.groups().stream()
            .map(group -> group.offer().split("/", -1)[1])
            .filter(provider -> !hasEngine(provider))
            .collect(Collectors.toCollection(TreeSet::new));
    return unavailable.isEmpty()
        ? "real run: elastune run " + run.meta().jobFile()
        : "none: real runs on " + String.join(" and ", unavailable) + " are not yet available";
  }

  private static boolean hasEngine(String provider) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .anyMatch(engine -> engine.get().supports(provider));
  }

  /** The run completed after its deadline, unless deadline_miss stopped it. */
  private String late() {
    return run.completed().isPresent()
        ? continueTraining()
        : resume(" --deadline WHEN, with a later deadline");
  }

  private String continueTraining() {
    boolean kept = run.best().flatMap(run::existingCheckpoint).isPresent();
    return (kept ? "continue from the best checkpoint, or retrain" : "retrain")
        + " with the best configuration"
        + (run.trials().stream().anyMatch(this::canBeRetried)
            ? "; retry failed trials after a correction: "
                + ResumeCommands.retryCorrected(run.run())
            : "");
  }

  /** Returns whether a trial failed in the last group of its chain. */
  private boolean canBeRetried(RunReader.TrialRow trial) {
    String prefix = trial.chain().isEmpty() ? "" : trial.chain() + ".";
    return trial.status() == TrialState.Status.FAILED
        && run.groups().stream()
            .filter(group -> group.name().startsWith(prefix))
            .allMatch(group -> group.fromUnit() <= trial.unit());
  }

  /** Failed trials can be retried; a failed setup or an unusable metric has none. */
  private String retry() {
    String logs = "see what failed: elastune logs " + run.run() + " [--setup]";
    return status.trials().failed() == 0
        ? logs
        : logs + "; after a correction: " + ResumeCommands.retryCorrected(run.run());
  }

  private String resume(String how) {
    return "resume it: " + ResumeCommands.resume(run.run()) + how;
  }
}
