package io.elastune.cli.inspect;

import io.elastune.executor.journal.RunReader;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the document of {@code status --json}. */
final class StatusDocument {
  private StatusDocument() {}

  static ObjectNode of(RunStatus status) {
    ObjectNode document =
        JsonNodeFactory.instance
            .objectNode()
            .put("run", status.run())
            .put("state", status.standing().label())
            .put("group", status.groups().isEmpty() ? null : status.groups());
    document
        .putObject("trials")
        .put("running", status.trials().running())
        .put("waiting", status.trials().waiting())
        .put("completed", status.trials().completed())
        .put("stopped", status.trials().stopped())
        .put("failed", status.trials().failed())
        .put("ended_early", status.trials().endedEarly());
    addParents(document, status.record().map(RunRecord::continuing).orElse(List.of()));
    document
        .put("instances", status.instances())
        .put("spent_usd", status.spentUsd())
        .put("forecast_usd", status.forecastUsd());
    FinishedDocument.put(document, "deadline_margin_s", status.deadlineMarginS());
    risk(status)
        .ifPresentOrElse(risk -> document.set("at_risk", risk), () -> document.putNull("at_risk"));
    status
        .record()
        .flatMap(run -> run.waiting().map(waiting -> DecisionDocument.of(run, waiting)))
        .ifPresent(waiting -> document.set("waiting_for_capacity", waiting));
    status
        .record()
        .flatMap(run -> run.unreachable().map(row -> DecisionDocument.of(run, row)))
        .ifPresent(row -> document.set("unreachable", row));
    FinishedDocument.put(document, "exit", status.exit());
    if (status.record().filter(RunRecord::simulated).isPresent()) {
      document.put("simulated", true);
    }
    return document;
  }

  /** Adds which trials of a population continue which others, if any do. */
  private static void addParents(ObjectNode document, List<RunReader.TrialRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    ArrayNode parents = document.putArray("parents");
    rows.forEach(
        row ->
            parents
                .addObject()
                .put("trial", row.trial())
                .put("parent", row.parent().orElseThrow())
                .put("unit", row.parentUnit().orElseThrow()));
  }

  /** Returns the run's own decision; empty for a run that has finished. */
  private static Optional<ObjectNode> risk(RunStatus status) {
    return status
        .record()
        .filter(run -> !run.finished())
        .flatMap(run -> run.risk().map(risk -> DecisionDocument.of(run, risk)));
  }
}
