package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.core.job.Search;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.plan.json.KeyIfPresent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The document of {@code report --json}: the result of a run with its groups, leases, trials and
 * faults.
 */
public record ReportDocument(
    @JsonUnwrapped FinishedDocument.RunResult result,
    @JsonPropertyDescription("The leases.") List<LeaseResult> leases,
    @JsonUnwrapped FinishedDocument.End end,
    @KeyIfPresent @JsonPropertyDescription("The versions of the code, if it was copied.")
        Optional<List<CodeSummary.VersionDocument>> code,
    @JsonPropertyDescription("When the deadline was first at risk, if it was.")
        Optional<DecisionDocument> atRisk,
    @JsonPropertyDescription("Number of trials that were preempted by others.") long preemptions,
    @JsonPropertyDescription("Number of changes of the GPUs of a trial.") long resizes,
    @JsonPropertyDescription("The trial groups.") List<GroupResult> groups,
    @KeyIfPresent @JsonPropertyDescription("The brackets of the search, if it has any.")
        Optional<List<TrialBrackets.BracketDocument>> brackets,
    @KeyIfPresent @JsonPropertyDescription("Asynchronous search: its rungs from the lowest.")
        Optional<List<RungResult>> rungs,
    @JsonPropertyDescription("The trials by number.") List<TrialDocument> trialResults,
    @JsonPropertyDescription("Cost in USD that no trial is charged for.") double unallocatedUsd,
    @JsonPropertyDescription("Cost in USD of nodes that could not become ready.")
        double failedNodesUsd,
    @JsonPropertyDescription("The failures of trials by cause, the most frequent first.")
        List<FailureGroups.FailureDocument> failures,
    @JsonPropertyDescription("The faults of trials.") List<FaultResult> faults,
    @KeyIfPresent @JsonPropertyDescription("Impairments of the clouds, if there were any.")
        Optional<List<CloudHealth.HealthDocument>> cloudHealth,
    @KeyIfPresent @JsonPropertyDescription("The file with warnings of the run, if there are any.")
        Optional<String> warningsLog) {
  /** One trial group: prediction and result. */
  record GroupResult(
      @JsonPropertyDescription("Its name.") String group,
      @JsonPropertyDescription("Predicted seconds.") OptionalDouble predictedS,
      @JsonPropertyDescription("Seconds from its start to its end, once ended.")
          OptionalDouble actualS,
      @JsonPropertyDescription("Predicted cost in USD.") OptionalDouble predictedUsd,
      @JsonPropertyDescription("Cost in USD, once started.") OptionalDouble actualUsd) {
    static GroupResult of(GroupRow row) {
      return new GroupResult(
          row.name(), row.predictedS(), tookS(row), row.predictedUsd(), groupCostUsd(row));
    }
  }

  /** One lease. */
  record LeaseResult(
      @JsonPropertyDescription("Its ID.") String id,
      @JsonPropertyDescription("Its offer.") String offer,
      @JsonPropertyDescription("When it was requested.") Instant requested,
      @JsonPropertyDescription("When the instance started, if it did.") Optional<Instant> running,
      @JsonPropertyDescription("When its termination was confirmed, which ends billing.")
          Optional<Instant> released,
      @KeyIfPresent
          @JsonPropertyDescription(
              "GB per second that its slowest GPU read and wrote in a copy, if measured.")
          Optional<Double> copyGbPerS,
      @JsonPropertyDescription("Its cost in USD.") double usd) {
    static LeaseResult of(RunRecord run, LeaseRow row) {
      return new LeaseResult(
          row.lease(),
          row.offer(),
          row.requested(),
          row.running(),
          row.terminated(),
          Optional.ofNullable(run.copyGbPerS().get(row.lease())),
          row.usd());
    }
  }

  /** One trial. */
  record TrialDocument(
      @JsonPropertyDescription("Its number.") int trial,
      @JsonPropertyDescription("Its chain.") String chain,
      @KeyIfPresent @JsonPropertyDescription("Its bracket, if the search has brackets.")
          Optional<String> bracket,
      @JsonPropertyDescription("Its state.") String status,
      @JsonPropertyDescription("Units that it has trained.") int units,
      @KeyIfPresent @JsonPropertyDescription("Units after which it ended early, if it did.")
          Optional<Integer> endedEarly,
      @JsonPropertyDescription("Its metric; null without one, and if it is not finite.")
          OptionalDouble metric,
      @JsonPropertyDescription("Unit of its last report; 0 before that.") int reportedUnit,
      @JsonPropertyDescription("The metrics of its last report; null if not finite.")
          Map<String, OptionalDouble> metrics,
      @JsonPropertyDescription("Seconds during which attempts of it ran.") double durationS,
      @JsonPropertyDescription("Its share of the cost of instances in USD.") double costUsd,
      @JsonPropertyDescription("Its hyperparameters.") Map<String, Object> config,
      @KeyIfPresent @JsonPropertyDescription("How its configuration was chosen, if known.")
          Optional<String> origin,
      @KeyIfPresent @JsonPropertyDescription("The trial from which it continues, if any.")
          Optional<TrialParent> parent,
      @JsonPropertyDescription("Number of its attempts.") int attempts,
      @JsonPropertyDescription("Number of its failures.") int failures,
      @KeyIfPresent
          @JsonPropertyDescription("The unit with the best metric, with metric.scope: best.")
          Optional<Integer> bestUnit,
      @JsonPropertyDescription(
              "Its newest checkpoint, if it still exists; with metric.scope: best, that of the best"
                  + " unit.")
          Optional<String> checkpoint) {
    static TrialDocument of(TrialResults.TrialResult trial, TrialBrackets brackets) {
      TrialRow row = trial.row();
      Map<String, OptionalDouble> metrics = new LinkedHashMap<>();
      trial.metrics().forEach((name, value) -> metrics.put(name, JsonDocuments.finite(value)));
      return new TrialDocument(
          row.trial(),
          row.chain(),
          brackets.of(row.trial()),
          row.status().name().toLowerCase(Locale.ROOT),
          row.trainedUnits(),
          row.endedEarly().stream().boxed().findFirst(),
          JsonDocuments.finite(row.metric().orElse(Double.NaN)),
          trial.reportedUnit(),
          metrics,
          trial.durationS(),
          trial.costUsd(),
          row.config(),
          trial.origin().map(Search.Origin::word),
          TrialParent.of(row),
          row.attempts(),
          row.failures(),
          trial.bestUnit(),
          trial.checkpoint());
    }
  }

  /** One fault of a trial. */
  record FaultResult(
      @JsonPropertyDescription("The number of the trial.") int trial,
      @JsonPropertyDescription("The attempt.") String attempt,
      @JsonPropertyDescription("When it occurred.") Instant at,
      @JsonPropertyDescription("What happened.") String message) {
    static FaultResult of(FaultRow row) {
      return new FaultResult(row.trial(), row.attempt(), row.at(), row.message());
    }
  }

  static ReportDocument of(RunStatus status, RunRecord run) {
    TrialResults results = TrialResults.of(run);
    TrialBrackets brackets = TrialBrackets.of(run);
    return new ReportDocument(
        FinishedDocument.RunResult.of(run, run.finished() ? "finished" : status.standing().label()),
        run.leases().stream().map(lease -> LeaseResult.of(run, lease)).toList(),
        FinishedDocument.End.of(
            run,
            status.counted() ? OptionalInt.of(status.instances()) : run.progress().instancesLeft()),
        run.meta().code().isEmpty()
            ? Optional.empty()
            : Optional.of(new CodeSummary(run).documents()),
        run.firstRisk().map(risk -> DecisionDocument.of(run, risk)),
        run.count(DecisionKind.PREEMPT),
        run.count(DecisionKind.RESIZE),
        run.groups().stream().map(GroupResult::of).toList(),
        Optional.of(brackets).filter(it -> !it.isEmpty()).map(TrialBrackets::all),
        Optional.of(RungResult.of(run)).filter(rungs -> !rungs.isEmpty()),
        results.trials().stream().map(trial -> TrialDocument.of(trial, brackets)).toList(),
        results.unallocatedUsd(),
        new FailedNodeList(run).lostUsd(),
        FailureGroups.of(run).documents(),
        run.faults().stream().map(FaultResult::of).toList(),
        Optional.of(CloudHealth.of(run).allDocuments(run.progress().at()))
            .filter(documents -> !documents.isEmpty()),
        run.warningsLog());
  }

  /** Returns the seconds from a group's start to its end. */
  public static OptionalDouble tookS(GroupRow groupRow) {
    return groupRow.started().isPresent() && groupRow.ended().isPresent()
        ? OptionalDouble.of(Seconds.between(groupRow.started().get(), groupRow.ended().get()))
        : OptionalDouble.empty();
  }

  /** Returns the cost of a group in USD, so far if it has not ended. */
  public static OptionalDouble groupCostUsd(GroupRow groupRow) {
    return groupRow.started().isPresent()
        ? OptionalDouble.of(groupRow.usd())
        : OptionalDouble.empty();
  }
}
