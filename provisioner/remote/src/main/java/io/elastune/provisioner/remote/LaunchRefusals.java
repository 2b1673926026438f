package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Records and reports what the cloud refuses. Used in the event loop only. */
final class LaunchRefusals {
  private static final String ANY_ZONE = "any zone";

  private final LeaseContext context;
  private final BooleanSupplier isAnyEnding;

  /** {@code isAnyEnding}: whether an instance is ending, which may count toward a quota. */
  LaunchRefusals(LeaseContext context, BooleanSupplier isAnyEnding) {
    this.context = context;
    this.isAnyEnding = isAnyEnding;
  }

  boolean isAnyEnding() {
    return isAnyEnding.getAsBoolean();
  }

  /** Returns whether an instance that is ending may have used up a quota at the last attempt. */
  boolean isBesideEndingInstance(TrackedLease lease) {
    return lease.besideEndingInstance || isAnyEnding();
  }

  /** Reports a refusal, or the termination of a lease that was released meanwhile. */
  void refuse(TrackedLease lease, RefusalReason reason, String message) {
    Instant now = context.now();
    if (!lease.wanted) {
      context.terminated(lease, now);
      return;
    }
    lease.phase = TrackedLease.Phase.TERMINATED;
    lease.terminatedAt = now;
    context.emit(new CloudEvent.Refused(lease.id(), reason, message, now));
  }

  /** Reports that every zone lacks capacity. */
  void refuseWithoutCapacity(TrackedLease lease, Offer offer, boolean isOneZone) {
    refuse(lease, RefusalReason.CAPACITY, noCapacity(lease, offer, isOneZone));
  }

  private String noCapacity(TrackedLease lease, Offer offer, boolean isOneZone) {
    String where = isOneZone ? "in " + offer.infra() : "in all zones of " + offer.infra();
    return "%s (%s) is unavailable %s%s; try another instance type, region or market, or try again later"
        .formatted(offer.instanceType(), offer.market().word(), where, tried(lease));
  }

  private String tried(TrackedLease lease) {
    return lease.firstTriedAt == null || lease.zonesWithoutCapacity.isEmpty()
        ? "; all its zones reported this less than "
            + context.pace().zoneCooldown().toMinutes()
            + " min ago"
        : "; tried %s within %d s: %s"
            .formatted(
                String.join(", ", lease.zonesWithoutCapacity),
                Duration.between(lease.firstTriedAt, context.now()).toSeconds() + 1,
                lease.capacityMessage);
  }

  /** Records that a zone has no capacity, so that the next attempt uses another zone. */
  void recordNoCapacity(TrackedLease lease, Offer offer, Optional<String> zone, String message) {
    context.zones().recordRefusal(offer, zone, context.now());
    lease.zonesWithoutCapacity.add(zone.orElse(ANY_ZONE));
    lease.capacityMessage = message;
  }
}
