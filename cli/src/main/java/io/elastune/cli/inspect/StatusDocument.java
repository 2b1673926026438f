package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.KeyIfPresent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The document of {@code status --json}. */
public record StatusDocument(
    @JsonPropertyDescription("The ID of the run.") String run,
    @JsonPropertyDescription("Its state.") String state,
    @JsonPropertyDescription("The running groups, separated by commas, if there are any.")
        Optional<String> group,
    @JsonPropertyDescription("Number of trials by state.") RunStatus.Trials trials,
    @JsonPropertyDescription("The best trial so far, if one has reported the metric.")
        Optional<TrialProgress.Best> best,
    @KeyIfPresent @JsonPropertyDescription("What each trial has reported last, if any has started.")
        Optional<List<TrialProgress>> trialResults,
    @KeyIfPresent @JsonPropertyDescription("Which trials continue which others, if any do.")
        Optional<List<Continuation>> parents,
    @KeyIfPresent @JsonPropertyDescription("The GPUs of the trials that a policy runs now.")
        Optional<List<TrialWidth>> widths,
    @KeyIfPresent @JsonPropertyDescription("The brackets of the search, if it has any.")
        Optional<List<TrialBrackets.BracketDocument>> brackets,
    @JsonPropertyDescription("Instances whose termination is not confirmed.") int instances,
    @JsonPropertyDescription("Cost so far in USD, including profiling.") double spentUsd,
    @JsonPropertyDescription("Forecast of the total cost in USD.") double forecastUsd,
    @JsonPropertyDescription("Seconds left before the deadline; negative when late.")
        OptionalDouble deadlineMarginS,
    @JsonPropertyDescription("Why the deadline is at risk, if it is.")
        Optional<DecisionDocument> atRisk,
    @KeyIfPresent @JsonPropertyDescription("Why the run waits for capacity, if it does.")
        Optional<DecisionDocument> waitingForCapacity,
    @KeyIfPresent @JsonPropertyDescription("Which instances are unreachable, if any are.")
        Optional<DecisionDocument> unreachable,
    @KeyIfPresent @JsonPropertyDescription("Impairments of the clouds, if any exist.")
        Optional<List<CloudHealth.HealthDocument>> cloudHealth,
    @KeyIfPresent
        @JsonPropertyDescription("What other programs use of this machine, if the run is on it.")
        Optional<RunLoad> otherPrograms,
    @JsonPropertyDescription("The exit code, once finished.") OptionalInt exit,
    @KeyIfPresent @JsonPropertyDescription("The file with warnings of the run, if there are any.")
        Optional<String> warningsLog,
    @KeyIfPresent @JsonPropertyDescription("True if the run is simulated.")
        Optional<Boolean> simulated,
    @KeyIfPresent @JsonPropertyDescription("The schedule that started the run, if there is one.")
        Optional<RunSchedule> schedule) {
  /** A trial of a population that continues another one. */
  record Continuation(
      @JsonPropertyDescription("Its number.") int trial,
      @JsonPropertyDescription("The number of the other trial.") int parent,
      @JsonPropertyDescription("Units of the checkpoint of the other trial.") int unit) {
    static Continuation of(TrialRow row) {
      return new Continuation(
          row.trial(), row.parent().orElseThrow(), row.parentUnit().orElseThrow());
    }
  }

  /** Returns the document of a run that no schedule started. */
  static StatusDocument of(RunStatus status, Instant now) {
    return of(status, now, Optional.empty());
  }

  static StatusDocument of(RunStatus status, Instant now, Optional<RunSchedule> schedule) {
    Optional<RunRecord> record = status.record();
    Optional<List<TrialProgress>> progress = record.map(TrialProgress::of);
    return new StatusDocument(
        status.run(),
        status.standing().label(),
        Optional.of(status.groups()).filter(groups -> !groups.isEmpty()),
        status.trials(),
        record.flatMap(run -> TrialProgress.best(run, progress.orElse(List.of()))),
        progress.filter(trials -> !trials.isEmpty()),
        record
            .map(RunRecord::continuing)
            .filter(rows -> !rows.isEmpty())
            .map(rows -> rows.stream().map(Continuation::of).toList()),
        record.map(RunRecord::widths).filter(widths -> !widths.isEmpty()),
        record.map(TrialBrackets::of).filter(it -> !it.isEmpty()).map(TrialBrackets::all),
        status.instances(),
        status.spentUsd(),
        status.forecastUsd(),
        status.deadlineMarginS(),
        record
            .filter(run -> !run.finished())
            .flatMap(run -> run.risk().map(risk -> DecisionDocument.of(run, risk))),
        record.flatMap(run -> run.waiting().map(row -> DecisionDocument.of(run, row))),
        record.flatMap(run -> run.unreachable().map(row -> DecisionDocument.of(run, row))),
        record
            .map(run -> CloudHealth.of(run).presentDocuments(now))
            .filter(documents -> !documents.isEmpty()),
        record.flatMap(run -> RunLoad.read(run.folder())),
        status.exit(),
        record.flatMap(RunRecord::warningsLog),
        record.filter(RunRecord::simulated).map(simulated -> true),
        schedule);
  }
}
