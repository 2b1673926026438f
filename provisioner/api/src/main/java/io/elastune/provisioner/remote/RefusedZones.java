package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which zones had no capacity of a type lately: asking them again at once would only cost time. */
public final class RefusedZones {
  private final Duration memory;
  private final Map<Key, Instant> until = new HashMap<>();

  private record Key(String type, String market, Optional<String> zone) {
    static Key of(Offer offer, Optional<String> zone) {
      return new Key(offer.instanceType(), offer.market().word(), zone);
    }
  }

  /** Forgets each refusal after that time. */
  public RefusedZones(Duration memory) {
    this.memory = memory;
  }

  /** That zone has just had no capacity for the offer. */
  public void add(Offer offer, Optional<String> zone, Instant now) {
    until.put(Key.of(offer, zone), now.plus(memory));
  }

  /** Those zones that may have capacity, in their order. */
  public List<Optional<String>> others(Offer offer, List<Optional<String>> zones, Instant now) {
    return zones.stream()
        .filter(zone -> !now.isBefore(until.getOrDefault(Key.of(offer, zone), Instant.EPOCH)))
        .toList();
  }
}
