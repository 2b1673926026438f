package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InstanceLifecycle;
import io.elastune.provisioner.gcp.model.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reports state changes of instances from what Google lists. */
final class InstanceMonitor {
  private final ProjectContext context;
  private final Terminator terminator;

  InstanceMonitor(ProjectContext context, Terminator terminator) {
    this.context = context;
    this.terminator = terminator;
  }

  /**
   * Processes the observed state of a lease's instance. Ignores a state older than the known one.
   */
  void update(TrackedLease trackedLease, GceInstance seen) {
    boolean stale =
        trackedLease
            .instance()
            .filter(known -> known.id().equals(seen.id()))
            .filter(known -> seen.lifecycle().compareTo(known.lifecycle()) < 0)
            .isPresent();
    if (stale) {
      return;
    }
    boolean first = trackedLease.instance().isEmpty();
    trackedLease.instance = seen;
    if (!trackedLease.in(TrackedLease.Phase.CREATING)
        || seen.lifecycle() != InstanceLifecycle.PENDING) {
      trackedLease.phase = TrackedLease.Phase.CREATED; // its creation may still fail
    }
    if (!trackedLease.wanted) {
      terminator.delete(seen.zone(), seen.name(), seen.id());
    } else if (seen.lifecycle() == InstanceLifecycle.RUNNING) {
      handleRunning(trackedLease, seen);
    } else if (!seen.lifecycle().isUp()) {
      handleStop(trackedLease, seen, first);
    }
  }

  private void handleRunning(TrackedLease trackedLease, GceInstance seen) {
    if (trackedLease.reportedRunning) {
      return;
    }
    reportRunning(trackedLease, seen.path(), seen.created());
    trackedLease.boot().start(context.now());
    mismatch(trackedLease, seen)
        .ifPresent(message -> markLost(trackedLease, LossReason.FAILED, message));
  }

  /**
   * Reports the instance as running since its creation was requested, which is never later than the
   * start of billing.
   */
  private void reportRunning(TrackedLease trackedLease, String path, Instant otherwise) {
    trackedLease.reportedRunning = true;
    Instant at = trackedLease.insertion().map(Operation::requested).orElse(otherwise);
    context.emit(new CloudEvent.Running(trackedLease.lease(), path, at));
  }

  /**
   * Compares the instance with the request: the plan's price holds only for the requested type and
   * market.
   */
  private static Optional<String> mismatch(TrackedLease trackedLease, GceInstance seen) {
    Optional<Offer> requested = trackedLease.request().map(LeaseRequest::offer);
    return requested
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "Google created %s %s instead of %s %s; releasing it"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void handleStop(TrackedLease trackedLease, GceInstance seen, boolean first) {
    if (first && !trackedLease.reportedRunning) {
      // Adopted late: whether it ever ran is unknown.
      reportRunning(trackedLease, seen.path(), seen.created());
    }
    if (seen.lifecycle() == InstanceLifecycle.STOPPED) {
      readHistory(
          trackedLease, seen, operationHistory -> reportLost(trackedLease, seen, operationHistory));
      terminator.delete(
          seen.zone(), seen.name(), seen.id()); // the disk of a stopped instance is billed
    } else if (seen.market() == io.elastune.core.offer.Market.SPOT
        && !trackedLease.reportedNotice) {
      readHistory(
          trackedLease,
          seen,
          operationHistory -> reportNotice(trackedLease, seen, operationHistory));
    }
  }

  private void readHistory(
      TrackedLease trackedLease,
      GceInstance seen,
      java.util.function.Consumer<OperationHistory> answer) {
    if (trackedLease.isHistoryInProgress || trackedLease.reportedLost) {
      return;
    }
    trackedLease.isHistoryInProgress = true;
    context
        .asyncCaller()
        .call(
            () -> new OperationHistory(context.compute().operationHistory(seen.name())),
            operationHistory -> {
              trackedLease.isHistoryInProgress = false;
              if (trackedLease.wanted && trackedLease.isOpen()) {
                answer.accept(operationHistory);
              }
            },
            failure -> trackedLease.isHistoryInProgress = false); // retried after the next list
  }

  private void reportNotice(
      TrackedLease trackedLease, GceInstance seen, OperationHistory operationHistory) {
    if (operationHistory.isPreempted() && !trackedLease.reportedNotice) {
      trackedLease.reportedNotice = true;
      context.preempted(trackedLease);
      context.emit(
          new CloudEvent.Leaving(
              trackedLease.lease(),
              "Google gave notice that it will preempt " + seen.path() + " within 30 seconds",
              context.now()));
    }
  }

  private void reportLost(
      TrackedLease trackedLease, GceInstance seen, OperationHistory operationHistory) {
    if (!trackedLease.reportedLost) {
      markLost(
          trackedLease,
          operationHistory.isPreempted() ? LossReason.PREEMPTED : LossReason.FAILED,
          "the instance %s is %s%s"
              .formatted(
                  seen.path(),
                  seen.status(),
                  operationHistory.lastSystemOperation().map(word -> ": " + word).orElse("")));
    }
  }

  void markLost(TrackedLease trackedLease, LossReason lossReason, String message) {
    trackedLease.reportedLost = true;
    if (lossReason == LossReason.PREEMPTED) {
      context.preempted(trackedLease);
    }
    context.emit(new CloudEvent.Lost(trackedLease.lease(), lossReason, message, context.now()));
  }

  /**
   * Looks up an instance that is missing from Google's list. It has ended only if a lookup by name
   * does not find it and its deletion is confirmed.
   */
  void lookUpMissing(TrackedLease trackedLease, String zone, Instant listed) {
    if (trackedLease.isLookupInProgress) {
      return;
    }
    trackedLease.isLookupInProgress = true;
    context
        .asyncCaller()
        .call(
            () -> context.compute().find(zone, trackedLease.name()),
            found -> {
              trackedLease.isLookupInProgress = false;
              if (found.isPresent()) {
                trackedLease.lastListed = listed;
                update(trackedLease, found.get());
              } else if (trackedLease.isOpen()) {
                handleTermination(trackedLease, zone, Optional.empty());
              }
            },
            failure -> trackedLease.isLookupInProgress = false);
  }

  /** Handles an instance that no longer exists. Its operation history contains the end time. */
  void handleTermination(TrackedLease trackedLease, String zone, Optional<Instant> at) {
    if (!trackedLease.isOpen()) {
      return;
    }
    if (at.isPresent() && !trackedLease.wanted) {
      context.terminated(trackedLease, at.get());
      return;
    }
    context
        .asyncCaller()
        .call(
            () -> new OperationHistory(context.compute().operationHistory(trackedLease.name())),
            operationHistory -> handleTermination(trackedLease, zone, operationHistory),
            failure -> {}); // retried after the next list
  }

  private void handleTermination(
      TrackedLease trackedLease, String zone, OperationHistory operationHistory) {
    if (!trackedLease.isOpen()) {
      return;
    }
    Optional<Instant> end = operationHistory.endTime();
    Instant now = context.now();
    Instant last =
        trackedLease.lastListed.equals(Instant.EPOCH)
            ? trackedLease.unlistedSince
            : trackedLease.lastListed;
    boolean isConclusive =
        Duration.between(last, now).compareTo(context.pace().listingDelay()) >= 0;
    if (end.isEmpty() && !isConclusive) {
      return; // the history may lag behind
    }
    if (trackedLease.wanted) {
      reportEnd(trackedLease, zone, operationHistory);
    }
    context.terminated(trackedLease, end.orElseGet(() -> latestEnd(trackedLease, last, now)));
  }

  /** Reports the events that are missing for an instance that no longer exists. */
  private void reportEnd(
      TrackedLease trackedLease, String zone, OperationHistory operationHistory) {
    boolean made = trackedLease.instance().isPresent() || trackedLease.insertion().isPresent();
    if (made && !trackedLease.reportedRunning) {
      reportRunning(trackedLease, zone + "/" + trackedLease.name(), context.now());
    } else if (made && !trackedLease.reportedLost) {
      markLost(
          trackedLease,
          operationHistory.isPreempted() ? LossReason.PREEMPTED : LossReason.FAILED,
          "the instance %s/%s no longer exists%s"
              .formatted(
                  zone,
                  trackedLease.name(),
                  operationHistory.lastSystemOperation().map(word -> ": " + word).orElse("")));
    }
  }

  /** Returns the latest possible end, at which its dead-man timer shut it down. */
  private Instant latestEnd(TrackedLease trackedLease, Instant seenLast, Instant now) {
    Duration deadMan = trackedLease.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
    Instant latest = seenLast.plus(deadMan).plus(context.pace().renewalInterval());
    return latest.isBefore(now) ? latest : now;
  }
}
