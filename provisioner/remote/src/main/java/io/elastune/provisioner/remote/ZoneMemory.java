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
 * Which zones had no capacity of a type lately, and from which instances were taken back: asking
 * the former again at once would only cost time, and the latter are likely to do it again.
 */
public final class ZoneMemory {
  private final Duration memory;
  private final Map<Key, Instant> refused = new HashMap<>();
  private final Map<Key, Instant> preempted = new HashMap<>();

  private record Key(String type, String market, Optional<String> zone) {
    static Key of(Offer offer, Optional<String> zone) {
      return new Key(offer.instanceType(), offer.market().word(), zone);
    }
  }

  /** Forgets each refusal and each preemption after that time. */
  public ZoneMemory(Duration memory) {
    this.memory = memory;
  }

  /** That zone has just had no capacity for the offer. */
  public void refused(Offer offer, Optional<String> zone, Instant now) {
    refused.put(Key.of(offer, zone), now.plus(memory));
  }

  /** That zone has just taken an instance of the offer back, or has given notice of it. */
  public void preempted(Offer offer, Optional<String> zone, Instant now) {
    preempted.put(Key.of(offer, zone), now.plus(memory));
  }

  /**
   * Those zones that may have capacity, in the order in which to ask them: theirs, but those that
   * took something back come last. They are not left out, for nobody has said that they have none,
   * and where there is no other zone a run would end. What is to stand near others is asked for
   * where they are.
   */
  public List<Optional<String>> toAsk(
      LeaseRequest request, List<Optional<String>> zones, Instant now) {
    List<Optional<String>> open =
        zones.stream().filter(zone -> !holds(refused, request.offer(), zone, now)).toList();
    return request.near()
        ? open
        : Stream.of(false, true)
            .flatMap(
                late ->
                    open.stream()
                        .filter(zone -> holds(preempted, request.offer(), zone, now) == late))
            .toList();
  }

  private static boolean holds(
      Map<Key, Instant> until, Offer offer, Optional<String> zone, Instant now) {
    return now.isBefore(until.getOrDefault(Key.of(offer, zone), Instant.EPOCH));
  }
}
