package io.elastune.cli.inspect;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.RunReader;
import java.util.Locale;
import java.util.OptionalDouble;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the document of {@code report --json}: the finished line with groups, leases, trials and
 * faults.
 */
public final class ReportDocument {
  private ReportDocument() {}

  static ObjectNode of(RunStatus status, RunRecord run) {
    String event = run.finished() ? "finished" : status.standing().label();
    ObjectNode document = FinishedDocument.of(run, event);
    if (status.counted()) {
      document.put("instances_left", status.instances());
    }
    if (!run.meta().code().isEmpty()) {
      document.set("code", new CodeSummary(run).json());
    }
    run.firstRisk()
        .ifPresentOrElse(
            risk -> document.set("at_risk", DecisionDocument.of(run, risk)),
            () -> document.putNull("at_risk"));
    document.put("preemptions", run.count(DecisionKind.PREEMPT));
    document.put("resizes", run.count(DecisionKind.RESIZE));
    ArrayNode groups = document.putArray("groups");
    run.groups().forEach(groupRow -> group(groups.addObject(), groupRow));
    ArrayNode leases = document.putArray("leases");
    run.leases().forEach(leaseRow -> lease(leases.addObject(), leaseRow));
    TrialResults results = TrialResults.of(run);
    ArrayNode trials = document.putArray("trial_results");
    results.trials().forEach(trial -> trial(trials.addObject(), trial));
    document.put("unallocated_usd", results.unallocatedUsd());
    ArrayNode faults = document.putArray("faults");
    run.faults().forEach(faultRow -> fault(faults.addObject(), faultRow));
    return document;
  }

  private static void trial(ObjectNode node, TrialResults.TrialResult trial) {
    RunReader.TrialRow row = trial.row();
    node.put("trial", row.trial()).put("chain", row.chain());
    node.put("status", row.status().name().toLowerCase(Locale.ROOT));
    node.put("units", row.trainedUnits());
    row.endedEarly().ifPresent(unit -> node.put("ended_early", unit));
    FinishedDocument.put(node, "metric", finite(row.metric()));
    node.put("reported_unit", trial.reportedUnit());
    ObjectNode metrics = node.putObject("metrics");
    trial
        .metrics()
        .forEach(
            (name, value) -> FinishedDocument.put(metrics, name, finite(OptionalDouble.of(value))));
    node.put("duration_s", trial.durationS()).put("cost_usd", trial.costUsd());
    node.set("config", JsonMapper.shared().valueToTree(row.config()));
    FinishedDocument.origin(node, trial.origin(), row);
    node.put("attempts", row.attempts()).put("failures", row.failures());
    FinishedDocument.put(node, "checkpoint", trial.checkpoint());
  }

  /** JSON has no NaN and no infinity. */
  private static OptionalDouble finite(OptionalDouble number) {
    return Double.isFinite(number.orElse(Double.NaN)) ? number : OptionalDouble.empty();
  }

  private static void fault(ObjectNode node, RunReader.FaultRow faultRow) {
    node.put("trial", faultRow.trial()).put("attempt", faultRow.attempt());
    node.put("at", faultRow.at().toString()).put("message", faultRow.message());
  }

  private static void group(ObjectNode node, RunReader.GroupRow groupRow) {
    node.put("group", groupRow.name());
    FinishedDocument.put(node, "predicted_s", groupRow.predictedS());
    FinishedDocument.put(node, "actual_s", tookS(groupRow));
    FinishedDocument.put(node, "predicted_usd", groupRow.predictedUsd());
    FinishedDocument.put(node, "actual_usd", costUsd(groupRow));
  }

  /** Returns the seconds from a group's start to its end. */
  public static OptionalDouble tookS(RunReader.GroupRow groupRow) {
    return groupRow.started().isPresent() && groupRow.ended().isPresent()
        ? OptionalDouble.of(Seconds.between(groupRow.started().get(), groupRow.ended().get()))
        : OptionalDouble.empty();
  }

  /** Returns the cost of a group in USD, so far if it has not ended. */
  public static OptionalDouble costUsd(RunReader.GroupRow groupRow) {
    return groupRow.started().isPresent()
        ? OptionalDouble.of(groupRow.usd())
        : OptionalDouble.empty();
  }

  /** Adds a lease. Released is the time of the confirmed termination, when billing ends. */
  private static void lease(ObjectNode node, RunReader.LeaseRow leaseRow) {
    node.put("id", leaseRow.lease());
    node.put("offer", leaseRow.offer());
    node.put("requested", leaseRow.requested().toString());
    FinishedDocument.put(node, "running", leaseRow.running());
    FinishedDocument.put(node, "released", leaseRow.terminated());
    node.put("usd", leaseRow.usd());
  }
}
