package io.elastune.cli.runs;

import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.RunReader;
import java.util.OptionalDouble;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the document of {@code report --json}: the finished line with groups, leases and faults.
 */
public final class ReportDocument {
  private ReportDocument() {}

  static ObjectNode of(RunStatus status, RunRecord run) {
    String event = run.finished() ? "finished" : status.standing().word();
    ObjectNode document = FinishedDocument.of(run, event);
    if (status.counted()) {
      document.put("instances_left", status.instances());
    }
    run.firstRisk()
        .ifPresentOrElse(
            risk -> document.set("at_risk", DecisionDocument.of(run, risk)),
            () -> document.putNull("at_risk"));
    ArrayNode groups = document.putArray("groups");
    run.groups().forEach(group -> group(groups.addObject(), group));
    ArrayNode leases = document.putArray("leases");
    run.leases().forEach(lease -> lease(leases.addObject(), lease));
    ArrayNode faults = document.putArray("faults");
    run.faults().forEach(fault -> fault(faults.addObject(), fault));
    return document;
  }

  private static void fault(ObjectNode node, RunReader.Fault fault) {
    node.put("trial", fault.trial()).put("attempt", fault.attempt());
    node.put("at", fault.at().toString()).put("message", fault.message());
  }

  private static void group(ObjectNode node, RunReader.Group group) {
    node.put("group", group.name());
    FinishedDocument.put(node, "predicted_s", group.predictedS());
    FinishedDocument.put(node, "actual_s", tookS(group));
    FinishedDocument.put(node, "predicted_usd", group.predictedUsd());
    FinishedDocument.put(node, "actual_usd", costUsd(group));
  }

  /** Returns the seconds from a group's start to its end. */
  public static OptionalDouble tookS(RunReader.Group group) {
    return group.started().isPresent() && group.ended().isPresent()
        ? OptionalDouble.of(Seconds.between(group.started().get(), group.ended().get()))
        : OptionalDouble.empty();
  }

  /** Returns the cost of a group in USD, so far if it has not ended. */
  public static OptionalDouble costUsd(RunReader.Group group) {
    return group.started().isPresent() ? OptionalDouble.of(group.usd()) : OptionalDouble.empty();
  }

  /** Adds a lease. Released is the time of the confirmed termination, when billing ends. */
  private static void lease(ObjectNode node, RunReader.Lease lease) {
    node.put("id", lease.lease());
    node.put("offer", lease.offer());
    node.put("requested", lease.requested().toString());
    FinishedDocument.put(node, "running", lease.running());
    FinishedDocument.put(node, "released", lease.terminated());
    node.put("usd", lease.usd());
  }
}
