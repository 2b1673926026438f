package io.elastune.provisioner.remote;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the stages of instances as events. Used in the event loop only. */
final class InstanceMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceMonitor.class);

  private final LeaseContext context;
  private final Terminator terminator;
  private final ChargedPriceReader prices;
  private final FailedLaunch failedLaunch;

  /** Handles an instance that the cloud has ended instead of starting it. */
  interface FailedLaunch {
    void handle(TrackedLease lease, RemoteInstance seen, CloudFailure failure);
  }

  InstanceMonitor(LeaseContext context, Terminator terminator, FailedLaunch failedLaunch) {
    this.failedLaunch = failedLaunch;
    this.context = context;
    this.terminator = terminator;
    prices = new ChargedPriceReader(context);
  }

  /**
   * Processes the cloud's description of an instance. Ignores a stage before the known one, and the
   * late answer to a look-up that began before the lease ended.
   */
  void update(TrackedLease lease, RemoteInstance seen) {
    if (!lease.isOpen() || lease.instance().filter(known -> isEarlier(seen, known)).isPresent()) {
      return;
    }
    Optional<CloudFailure> failure = launchFailure(lease, seen);
    if (failure.isPresent()) {
      if (seen.stage() == InstanceStage.TERMINATED) {
        failedLaunch.handle(lease, seen, failure.get());
      }
      return;
    }
    boolean first = lease.instance().isEmpty();
    lease.instance = seen;
    if (!lease.in(TrackedLease.Phase.CREATING) || seen.stage() != InstanceStage.PENDING) {
      lease.phase = TrackedLease.Phase.CREATED; // otherwise its creation may still fail
    }
    if (seen.stage() == InstanceStage.RUNNING || (first && mayHaveRun(seen))) {
      bill(lease, seen.created());
    }
    if (lease.wanted && seen.stage() == InstanceStage.RUNNING) {
      running(lease, seen);
    } else if (lease.wanted && !seen.stage().isUp()) {
      stopped(lease, seen, first);
    }
    end(lease, seen);
  }

  /** Returns why an instance that is still wanted did not start; empty if it has run. */
  private static Optional<CloudFailure> launchFailure(TrackedLease lease, RemoteInstance seen) {
    return lease.wanted && !lease.reportedRunning && !lease.in(TrackedLease.Phase.SEARCHING)
        ? seen.end().flatMap(InstanceHistory::launchFailure)
        : Optional.empty();
  }

  /** Returns whether an instance that was first seen after its end may have run before. */
  private static boolean mayHaveRun(RemoteInstance seen) {
    return !seen.stage().isUp() && seen.end().flatMap(InstanceHistory::launchFailure).isEmpty();
  }

  private static boolean isEarlier(RemoteInstance seen, RemoteInstance known) {
    return known.uid().equals(seen.uid()) && seen.stage().compareTo(known.stage()) < 0;
  }

  private void end(TrackedLease lease, RemoteInstance seen) {
    switch (seen.stage()) {
      case TERMINATED -> {
        terminator.forget(seen.id());
        context.terminated(
            lease, seen.end().flatMap(InstanceHistory::ended).orElseGet(context::now));
      }
      case TERMINATING -> terminator.forget(seen.id());
      case STOPPED -> terminator.terminate(seen.id(), seen.uid()); // its disks are still billed
      default -> {
        if (!lease.wanted) {
          terminator.terminate(seen.id(), seen.uid());
        }
      }
    }
  }

  private void running(TrackedLease lease, RemoteInstance seen) {
    if (lease.reportedRunning) {
      return;
    }
    Optional<String> mismatch = mismatch(lease, seen);
    if (mismatch.isPresent() && !lease.mismatchSeen) {
      lease.mismatchSeen = true; // a new instance may be described before its market is known
      return;
    }
    reportRunning(lease, seen.id(), seen.created());
    lease.boot().start(context.now());
    mismatch.ifPresent(message -> markLost(lease, LossReason.FAILED, message));
    prices.read(lease, seen);
  }

  /**
   * Reports the instance as running since its creation was requested, which is never later than the
   * start of billing.
   */
  private void reportRunning(TrackedLease lease, String id, Instant created) {
    lease.reportedRunning = true;
    context.emit(new CloudEvent.Running(lease.id(), id, bill(lease, created)));
  }

  /** Repeats the report that the instance runs, if there was one. */
  void repeatRunning(TrackedLease lease) {
    if (lease.reportedRunning && lease.billedSince != null) {
      String id = lease.instanceId().orElse(lease.id());
      context.emit(new CloudEvent.Running(lease.id(), id, lease.billedSince));
    }
  }

  /**
   * Bills an instance that this process has never seen, and that was created according to history.
   */
  private static void billFromHistory(TrackedLease lease) {
    Optional.ofNullable(lease.history)
        .filter(history -> lease.instance().isEmpty())
        .flatMap(InstanceHistory::creation)
        .filter(RemoteOperation::hasSucceeded)
        .ifPresent(creation -> bill(lease, creation.requested()));
  }

  private static Instant bill(TrackedLease lease, Instant created) {
    Instant at = lease.creation().map(RemoteOperation::requested).orElse(created);
    Instant known = lease.billedSince;
    Instant since = known == null || at.isBefore(known) ? at : known;
    lease.billedSince = since;
    return since;
  }

  /**
   * Compares the instance with the request: the plan's price holds only for the requested type and
   * market.
   */
  private Optional<String> mismatch(TrackedLease lease, RemoteInstance seen) {
    return lease
        .request()
        .map(LeaseRequest::offer)
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "%s created %s %s instead of %s %s; releasing it"
                    .formatted(
                        context.api().cloudName(),
                        seen.market().word(),
                        seen.type(),
                        o.market().word(),
                        o.instanceType()));
  }

  private void stopped(TrackedLease lease, RemoteInstance seen, boolean first) {
    if (first && !lease.reportedRunning) {
      reportRunning(lease, seen.id(), seen.created()); // adopted late: unknown if it ever ran
    }
    if (seen.stage() != InstanceStage.STOPPING) {
      withHistory(lease, seen, history -> reportLost(lease, seen, history));
    } else if (seen.market() == Market.SPOT && !lease.reportedNotice) {
      withHistory(lease, seen, history -> reportNotice(lease, seen, history));
    }
  }

  private void withHistory(
      TrackedLease lease, RemoteInstance seen, Consumer<InstanceHistory> answer) {
    if (lease.reportedLost || lease.causePending) {
      return;
    }
    if (seen.end().isPresent()) {
      answer.accept(seen.end().get());
      return;
    }
    lease.causePending = true;
    context
        .asyncCaller()
        .call(
            () -> context.api().history(lease.id()),
            history -> {
              lease.causePending = false;
              if (lease.wanted && lease.isOpen()) {
                answer.accept(history);
              }
            },
            failure -> lease.causePending = false); // retried after the next list
  }

  private void reportNotice(TrackedLease lease, RemoteInstance seen, InstanceHistory history) {
    if (history.preempted()) {
      markLeaving(lease, seen.id());
    }
  }

  /** Reports that the cloud has announced to interrupt an instance. */
  void markLeaving(TrackedLease lease, String id) {
    if (lease.reportedNotice) {
      return;
    }
    lease.reportedNotice = true;
    context.avoidZone(lease);
    String message =
        "%s gave notice that it will interrupt %s within %d seconds"
            .formatted(context.api().cloudName(), id, context.api().noticePeriod().toSeconds());
    context.emit(new CloudEvent.Leaving(lease.id(), message, context.now()));
  }

  private void reportLost(TrackedLease lease, RemoteInstance seen, InstanceHistory history) {
    if (!lease.reportedLost) {
      markLost(
          lease,
          loss(history),
          "the instance %s is %s".formatted(seen.id(), seen.status()),
          history);
    }
  }

  private static LossReason loss(InstanceHistory history) {
    return history.preempted() ? LossReason.PREEMPTED : LossReason.FAILED;
  }

  private void markLost(
      TrackedLease lease, LossReason reason, String message, InstanceHistory history) {
    markLost(lease, reason, message + history.cause().map(word -> ": " + word).orElse(""));
  }

  void markLost(TrackedLease lease, LossReason reason, String message) {
    lease.reportedLost = true;
    if (reason == LossReason.PREEMPTED) {
      context.avoidZone(lease);
    }
    context.emit(new CloudEvent.Lost(lease.id(), reason, message, context.now()));
  }

  /**
   * Looks up an instance that has been missing in the cloud's lists for a while. Lists may lag, and
   * this process may have been suspended.
   */
  void lookUpMissing(TrackedLease lease, String id, Instant asked) {
    Duration missing = Duration.between(lease.lastSeen(), asked);
    if (lease.lookupPending || missing.compareTo(context.pace().lookupDelay()) < 0) {
      return;
    }
    lease.lookupPending = true;
    context
        .asyncCaller()
        .call(
            () -> context.api().find(id),
            found -> {
              lease.lookupPending = false;
              if (found.isPresent()) {
                lease.lastListed = asked;
                update(lease, found.get());
              } else {
                gone(lease, id);
              }
            },
            failure -> lease.lookupPending = false); // retried after the next list
  }

  /** Handles an instance that no longer exists. The cloud may have recorded when it ended. */
  private void gone(TrackedLease lease, String id) {
    if (!lease.isOpen()) {
      return;
    }
    if (lease.deletedAt != null && !lease.wanted) {
      ended(lease, id, lease.deletedAt);
      return;
    }
    context
        .asyncCaller()
        .call(
            () -> context.api().history(lease.id()),
            history -> gone(lease, id, history),
            failure -> {}); // retried after the next list
  }

  private void gone(TrackedLease lease, String id, InstanceHistory history) {
    Instant last = lease.lastSeen();
    Instant now = context.now();
    boolean isConclusive =
        Duration.between(last, now).compareTo(context.pace().listingDelay()) >= 0;
    if (!lease.isOpen() || (history.ended().isEmpty() && !isConclusive)) {
      return; // the history may lag, too
    }
    if (lease.wanted) {
      reportEnd(lease, id, history);
    }
    ended(lease, id, history.ended().orElseGet(() -> latestEnd(lease, last, now)));
  }

  /**
   * Ends a lease for which the cloud shows no instance. If the cloud may already have forgotten the
   * instance, it is billed as if it had run until its dead-man timer acted.
   */
  void endWithoutInstance(TrackedLease lease) {
    lease
        .request()
        .flatMap(LeaseRequest::requestedAt)
        .ifPresent(asked -> billForgotten(lease, asked));
    if (lease.isOpen()) {
      context.terminated(lease, context.now());
    }
  }

  /** An instance whose end the cloud still remembers would be listed: it ended before that. */
  private void billForgotten(TrackedLease lease, Instant asked) {
    Instant now = context.now();
    Duration memory = context.api().remembersEnded();
    Instant forgotten = now.minus(memory);
    if (!asked.isBefore(forgotten)) {
      return;
    }
    Instant latest = latestEnd(lease, asked, now);
    Instant end = latest.isBefore(forgotten) ? latest : forgotten;
    LOG.warn(
        "{} has no record of whether an instance ran for lease {}, requested more than {} min ago;"
            + " counting the cost of the {} min until it shut itself down",
        context.api().cloudName(),
        lease.id(),
        memory.toMinutes(),
        Duration.between(asked, end).toMinutes());
    lease.billedSince = asked;
    context.terminated(lease, end);
  }

  private void ended(TrackedLease lease, String id, Instant at) {
    terminator.forget(id);
    billFromHistory(lease);
    context.terminated(lease, at);
  }

  /** Reports the events that are missing for an instance that no longer exists. */
  private void reportEnd(TrackedLease lease, String id, InstanceHistory history) {
    if (lease.instanceId().isEmpty()) {
      return;
    }
    if (!lease.reportedRunning) {
      reportRunning(lease, id, context.now());
    } else if (!lease.reportedLost) {
      markLost(lease, loss(history), "the instance %s no longer exists".formatted(id), history);
    }
  }

  /** Returns the latest possible end, at which its dead-man timer shut it down. */
  private Instant latestEnd(TrackedLease lease, Instant lastSeen, Instant now) {
    Instant latest = lastSeen.plus(lease.deadMan()).plus(context.pace().renewalInterval());
    return latest.isBefore(now) ? latest : now;
  }
}
