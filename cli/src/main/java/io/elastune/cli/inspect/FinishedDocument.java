package io.elastune.cli.inspect;

import io.elastune.cli.json.EstimateJson;
import io.elastune.core.job.Search;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.RunReader;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the JSON document of a finished run: the last line of {@code run --json} and the beginning
 * of {@code report --json}.
 *
 * <p>It never checks the controller's lock, so that the controller itself may call it: closing any
 * other channel of a locked file releases the lock.
 */
public final class FinishedDocument {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private FinishedDocument() {}

  /** Returns the document of a finished run. */
  public static ObjectNode of(RunRecord run) {
    return of(run, "finished");
  }

  /** Returns the document of a run that may not have finished; {@code event} is its state. */
  static ObjectNode of(RunRecord run, String event) {
    ObjectNode document = NODES.objectNode().put("event", event).put("run", run.run());
    put(document, "exit", run.progress().exitCode());
    run.best()
        .ifPresentOrElse(
            best -> document.set("best", best(run, best)), () -> document.putNull("best"));
    put(document, "completion_s", run.completionS());
    document.put("cost_usd", run.costUsd());
    run.meta()
        .estimate()
        .ifPresentOrElse(
            estimate -> document.set("estimate", EstimateJson.estimate(estimate)),
            () -> document.putNull("estimate"));
    document.set("trials", trials(run));
    document.put("leases", run.leases().size());
    OptionalInt left = run.progress().instancesLeft();
    put(document, "instances_left", left.orElse(-1) < 0 ? OptionalInt.empty() : left);
    if (run.simulated()) {
      document.put("simulated", true);
      put(document, "metered_usd", run.meteredUsd());
    }
    return document;
  }

  private static ObjectNode best(RunRecord run, RunReader.TrialRow trialRow) {
    ObjectNode node = NODES.objectNode().put("trial", trialRow.trial());
    node.put("metric", trialRow.metric().getAsDouble());
    node.set("config", JsonMapper.shared().valueToTree(trialRow.config()));
    origin(node, run.job().map(job -> trialRow.origin(job.search())), trialRow);
    node.put("units", trialRow.trainedUnits());
    put(node, "checkpoint", run.existingCheckpoint(trialRow));
    trialRow.endedEarly().ifPresent(unit -> node.put("ended_early", unit));
    return node;
  }

  /** Adds how the configuration of a trial was chosen, and its parent if it has one. */
  static void origin(ObjectNode node, Optional<Search.Origin> origin, RunReader.TrialRow trialRow) {
    origin.ifPresent(known -> node.put("origin", known.word()));
    if (trialRow.parent().isPresent()) {
      node.putObject("parent")
          .put("trial", trialRow.parent().getAsInt())
          .put("unit", trialRow.parentUnit().orElse(0));
    }
  }

  private static ObjectNode trials(RunRecord run) {
    ObjectNode node = NODES.objectNode();
    node.put("completed", run.count(TrialState.Status.COMPLETED));
    node.put("stopped", run.count(TrialState.Status.STOPPED));
    node.put("failed", run.count(TrialState.Status.FAILED));
    return node.put("ended_early", run.endedEarly());
  }

  static void put(ObjectNode node, String key, OptionalInt number) {
    if (number.isPresent()) {
      node.put(key, number.getAsInt());
    } else {
      node.putNull(key);
    }
  }

  static void put(ObjectNode node, String key, OptionalDouble number) {
    if (number.isPresent()) {
      node.put(key, number.getAsDouble());
    } else {
      node.putNull(key);
    }
  }

  static void put(ObjectNode node, String key, Optional<?> thing) {
    node.put(key, thing.map(Object::toString).orElse(null));
  }
}
