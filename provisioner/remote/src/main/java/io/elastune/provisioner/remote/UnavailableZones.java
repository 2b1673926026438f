package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Remembers the zones that recently had no capacity for an offer, those that recently preempted an
 * instance of it, and those of nodes that could not become ready. Retrying the first at once costs
 * time, the second are likely to preempt again, and in the last the same host may be rented again.
 */
final class UnavailableZones {
  private final Duration duration;
  private final Map<Key, Instant> refused = new HashMap<>();
  private final Map<Key, Instant> avoided = new HashMap<>();

  private record Key(String type, String market, Optional<String> zone) {
    static Key of(Offer offer, Optional<String> zone) {
      return new Key(offer.instanceType(), offer.market().word(), zone);
    }
  }

  /** Creates a memory that forgets each zone after that time. */
  UnavailableZones(Duration memory) {
    this.duration = memory;
  }

  /** Records that a zone has no capacity for the offer. */
  void recordRefusal(Offer offer, Optional<String> zone, Instant now) {
    refused.put(Key.of(offer, zone), now.plus(duration));
  }

  /**
   * Records that a zone has preempted an instance of the offer, or has announced it, or that a node
   * of the offer could not become ready there.
   */
  void avoid(Offer offer, Optional<String> zone, Instant now) {
    avoided.put(Key.of(offer, zone), now.plus(duration));
  }

  /**
   * Returns the zones that may have capacity, in the order in which to try them. Zones with a
   * recent preemption or a bad node come last. They are not excluded, because they may have
   * capacity, and without another zone the run would end. A request for nearby placement keeps the
   * given order.
   */
  List<Optional<String>> zonesToTry(
      LeaseRequest request, List<Optional<String>> zones, Instant now) {
    List<Optional<String>> open =
        zones.stream().filter(zone -> !holds(refused, request.offer(), zone, now)).toList();
    return request.near()
        ? open
        : Stream.of(false, true)
            .flatMap(
                late ->
                    open.stream()
                        .filter(zone -> holds(avoided, request.offer(), zone, now) == late))
            .toList();
  }

  private static boolean holds(
      Map<Key, Instant> until, Offer offer, Optional<String> zone, Instant now) {
    return now.isBefore(until.getOrDefault(Key.of(offer, zone), Instant.EPOCH));
  }
}
