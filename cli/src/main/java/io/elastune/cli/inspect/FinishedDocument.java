package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.core.job.Search;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.EstimateDocument;
import io.elastune.plan.json.KeyIfPresent;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The JSON document of a finished run: the last line of {@code run --json}.
 *
 * <p>It never checks the controller's lock, so that the controller itself may create it: closing
 * any other channel of a locked file releases the lock.
 */
public record FinishedDocument(
    @JsonUnwrapped RunResult result,
    @JsonPropertyDescription("Number of leases.") int leases,
    @JsonUnwrapped End end) {
  /** The result of a run. */
  record RunResult(
      @JsonPropertyDescription("\"finished\", or the state of a run that has not finished.")
          String event,
      @JsonPropertyDescription("The ID of the run.") String run,
      @JsonPropertyDescription("The exit code, once finished.") OptionalInt exit,
      @JsonPropertyDescription("The best trial, if a trial has reported its metric.")
          Optional<BestTrial> best,
      @JsonPropertyDescription("Seconds from the start to the completion, once completed.")
          OptionalDouble completionS,
      @JsonPropertyDescription("Cost in USD, including profiling.") double costUsd,
      @JsonPropertyDescription("The prediction of the plan, if there is one.")
          Optional<EstimateDocument> estimate,
      @JsonPropertyDescription("Number of trials by result.") Trials trials) {
    static RunResult of(RunRecord run, String event) {
      return new RunResult(
          event,
          run.run(),
          run.progress().exitCode(),
          run.best().map(best -> BestTrial.of(run, best)),
          run.completionS(),
          run.costUsd(),
          run.meta().estimate().map(EstimateDocument::of),
          new Trials(
              run.count(TrialState.Status.COMPLETED),
              run.count(TrialState.Status.STOPPED),
              run.count(TrialState.Status.FAILED),
              run.endedEarly()));
    }
  }

  /** What a run has left behind, and whether it was simulated. */
  record End(
      @JsonPropertyDescription("Instances whose termination is not confirmed, if known.")
          OptionalInt instancesLeft,
      @KeyIfPresent
          @JsonPropertyDescription(
              "What other programs used of this machine, if the run was on it.")
          Optional<RunLoad> otherPrograms,
      @KeyIfPresent @JsonPropertyDescription("True if the run was simulated.")
          Optional<Boolean> simulated,
      @KeyIfPresent @JsonPropertyDescription("Simulated: cost that the cloud metered in USD.")
          Optional<OptionalDouble> meteredUsd) {
    /** Returns it; a negative number of instances is unknown. */
    static End of(RunRecord run, OptionalInt instancesLeft) {
      return new End(
          instancesLeft.stream().filter(left -> left >= 0).findFirst(),
          RunLoad.read(run.folder()),
          Optional.of(true).filter(yes -> run.simulated()),
          run.simulated() ? Optional.of(run.meteredUsd()) : Optional.empty());
    }
  }

  /** The best trial. */
  record BestTrial(
      @JsonPropertyDescription("Its number.") int trial,
      @KeyIfPresent @JsonPropertyDescription("Its bracket, if the search has brackets.")
          Optional<String> bracket,
      @JsonPropertyDescription("Its metric.") double metric,
      @JsonPropertyDescription("Its hyperparameters.") Map<String, Object> config,
      @KeyIfPresent @JsonPropertyDescription("How its configuration was chosen, if known.")
          Optional<String> origin,
      @KeyIfPresent @JsonPropertyDescription("The trial from which it continues, if any.")
          Optional<TrialParent> parent,
      @JsonPropertyDescription("Units that it has trained.") int units,
      @KeyIfPresent
          @JsonPropertyDescription("The unit with the best metric, with metric.scope: best.")
          Optional<Integer> bestUnit,
      @JsonPropertyDescription(
              "Its newest checkpoint, if it still exists as the trial saved it; with metric.scope:"
                  + " best, that of the best unit.")
          Optional<String> checkpoint,
      @KeyIfPresent @JsonPropertyDescription("Units after which it ended early, if it did.")
          Optional<Integer> endedEarly) {
    static BestTrial of(RunRecord run, TrialRow row) {
      return new BestTrial(
          row.trial(),
          TrialBrackets.of(run).of(row.trial()),
          row.metric().getAsDouble(),
          row.config(),
          run.job().map(job -> row.origin(job.search())).map(Search.Origin::word),
          TrialParent.of(row),
          row.trainedUnits(),
          run.bestUnit(row),
          run.intactCheckpoint(row),
          row.endedEarly().stream().boxed().findFirst());
    }
  }

  /** Number of trials by result. */
  record Trials(long completed, long stopped, long failed, long endedEarly) {}

  /** Returns the document of a finished run. */
  public static FinishedDocument of(RunRecord run) {
    return new FinishedDocument(
        RunResult.of(run, "finished"),
        run.leases().size(),
        End.of(run, run.progress().instancesLeft()));
  }
}
