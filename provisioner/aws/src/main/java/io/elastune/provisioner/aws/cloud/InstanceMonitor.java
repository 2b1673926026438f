package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reports state changes of instances as events. */
final class InstanceMonitor {
  private static final String SPOT_ENDED = "Server.Spot";

  private final RegionContext context;
  private final Terminator terminator;
  private final ChargedPriceReader price;

  InstanceMonitor(RegionContext context, Terminator terminator) {
    this.context = context;
    this.terminator = terminator;
    price = new ChargedPriceReader(context);
  }

  /** Processes EC2's description of an instance; ignores a state older than the known one. */
  void update(TrackedLease trackedLease, Ec2Instance seen) {
    boolean first = trackedLease.instance().isEmpty();
    if (trackedLease
        .instance()
        .filter(known -> seen.state().compareTo(known.state()) < 0)
        .isPresent()) {
      return;
    }
    trackedLease.instance = seen;
    trackedLease.phase = TrackedLease.Phase.CREATED;
    if (seen.state() == InstanceState.RUNNING) {
      running(trackedLease, seen);
    } else if (!seen.state().isUp()) {
      handleStopped(trackedLease, seen, first);
    }
    if (!trackedLease.wanted
        && seen.state() != InstanceState.TERMINATED
        && seen.state() != InstanceState.SHUTTING_DOWN) {
      terminator.terminate(seen.id());
    }
  }

  private void running(TrackedLease trackedLease, Ec2Instance seen) {
    if (!trackedLease.wanted || trackedLease.reportedRunning) {
      return;
    }
    reportRunning(trackedLease, seen);
    trackedLease.boot().start(context.now());
    mismatch(trackedLease, seen)
        .ifPresent(message -> markLost(trackedLease, LossReason.FAILED, message));
    price.read(trackedLease, seen);
  }

  private void reportRunning(TrackedLease trackedLease, Ec2Instance seen) {
    trackedLease.reportedRunning = true;
    context.emit(new CloudEvent.Running(trackedLease.lease(), seen.id(), seen.launched()));
  }

  /** Compares the instance with the request: the plan's price holds only for the planned type. */
  private static Optional<String> mismatch(TrackedLease trackedLease, Ec2Instance seen) {
    Optional<Offer> asked = trackedLease.request().map(LeaseRequest::offer);
    return asked
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "EC2 launched %s %s instead of %s %s; releasing it"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void handleStopped(TrackedLease trackedLease, Ec2Instance seen, boolean first) {
    boolean over = seen.state() == InstanceState.TERMINATED;
    if (trackedLease.wanted && first && !trackedLease.reportedRunning) {
      reportRunning(trackedLease, seen); // adopted after its end: unknown whether it ever ran
    } else if (trackedLease.wanted && !trackedLease.reportedLost) {
      boolean preempted = seen.reason().startsWith(SPOT_ENDED);
      markLost(
          trackedLease,
          preempted ? LossReason.PREEMPTED : LossReason.FAILED,
          "the instance "
              + seen.id()
              + " is "
              + seen.state().ec2Name()
              + (seen.reason().isEmpty() ? "" : ": " + seen.reason()));
    }
    if (over) {
      terminator.onTerminating(seen.id());
      trackedLease.terminatedAt = BillingEndTime.of(seen).orElseGet(context::now);
      context.terminated(trackedLease, trackedLease.terminatedAt);
    } else if (seen.state() == InstanceState.SHUTTING_DOWN) {
      terminator.onTerminating(seen.id());
    } else {
      terminator.terminate(seen.id()); // the disks of a stopped instance are still billed
    }
  }

  void markLost(TrackedLease trackedLease, LossReason lossReason, String message) {
    trackedLease.reportedLost = true;
    if (lossReason == LossReason.PREEMPTED) {
      context.recordPreemption(trackedLease);
    }
    context.emit(new CloudEvent.Lost(trackedLease.lease(), lossReason, message, context.now()));
  }

  /**
   * Queries an instance by id that has been missing in EC2's lists for a while. EC2 drops instances
   * about an hour after their end, and this process may have been suspended meanwhile.
   */
  void lookUpMissing(TrackedLease trackedLease, Ec2Instance known, Instant asked) {
    Duration missing = Duration.between(latest(trackedLease.lastListed, known.launched()), asked);
    if (missing.compareTo(context.pace().listingDelay()) < 0) {
      return;
    }
    trackedLease.lastListed = asked; // queried by id now, and not again for some time
    context
        .asyncCaller()
        .call(
            () -> context.ec2().listByIds(List.of(known.id())),
            found -> found.forEach(instance -> update(trackedLease, instance)),
            failure -> {
              if (failure instanceof CloudFailure.Invalid && trackedLease.isOpen()) {
                reportDropped(trackedLease, known, asked.minus(missing));
              }
            });
  }

  /** Reports the end of an instance that EC2 has dropped: at the latest its dead-man time. */
  private void reportDropped(TrackedLease trackedLease, Ec2Instance known, Instant seenLast) {
    if (trackedLease.wanted && !trackedLease.reportedLost) {
      markLost(trackedLease, LossReason.FAILED, "EC2 no longer lists the instance " + known.id());
    }
    Duration deadMan = trackedLease.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
    Instant latestEnd = seenLast.plus(deadMan).plus(context.pace().renewalInterval());
    Instant now = context.now();
    terminator.onTerminating(known.id());
    context.terminated(trackedLease, latestEnd.isBefore(now) ? latestEnd : now);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
