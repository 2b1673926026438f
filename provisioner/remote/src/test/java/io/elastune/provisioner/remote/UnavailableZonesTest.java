package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnavailableZonesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T01:00:00Z");
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Offer SPOT = offer(Market.SPOT);

  private final UnavailableZones memory = new UnavailableZones(LONG);

  @Test
  void keepsOrderOfZones() {
    assertThat(toAsk(SPOT, NOW)).containsExactly("a", "b", "c");
  }

  @Test
  void excludesRefusedZoneUntilForgotten() {
    memory.recordRefusal(SPOT, Optional.of("a"), NOW);
    assertThat(toAsk(SPOT, NOW.plus(LONG).minusNanos(1))).containsExactly("b", "c");
    assertThat(toAsk(SPOT, NOW.plus(LONG))).containsExactly("a", "b", "c");
  }

  @Test
  void putsPreemptingZoneLastUntilForgotten() {
    memory.avoid(SPOT, Optional.of("a"), NOW);
    assertThat(toAsk(SPOT, NOW.plus(LONG).minusNanos(1))).containsExactly("b", "c", "a");
    assertThat(toAsk(SPOT, NOW.plus(LONG))).containsExactly("a", "b", "c");
  }

  @Test
  void triesPreemptingZoneWithoutAlternative() {
    memory.avoid(SPOT, Optional.of("a"), NOW);
    memory.recordRefusal(SPOT, Optional.of("b"), NOW);
    memory.recordRefusal(SPOT, Optional.of("c"), NOW);
    assertThat(toAsk(SPOT, NOW)).containsExactly("a");
    memory.recordRefusal(SPOT, Optional.of("a"), NOW);
    assertThat(toAsk(SPOT, NOW)).isEmpty();
  }

  @Test
  void separatesMarkets() {
    memory.recordRefusal(SPOT, Optional.of("a"), NOW);
    memory.avoid(SPOT, Optional.of("b"), NOW);
    assertThat(toAsk(offer(Market.ON_DEMAND), NOW)).containsExactly("a", "b", "c");
  }

  @Test
  void keepsOrderForNearbyPlacement() {
    memory.avoid(SPOT, Optional.of("a"), NOW);
    assertThat(toAsk(request(SPOT, true), NOW)).containsExactly("a", "b", "c");
  }

  private List<String> toAsk(Offer offer, Instant now) {
    return toAsk(request(offer, false), now);
  }

  private List<String> toAsk(LeaseRequest request, Instant now) {
    List<Optional<String>> zones = List.of(Optional.of("a"), Optional.of("b"), Optional.of("c"));
    return memory.zonesToTry(request, zones, now).stream().map(Optional::orElseThrow).toList();
  }

  private static LeaseRequest request(Offer offer, boolean near) {
    Map<String, String> tags =
        Map.of(Tags.RUN, "r", Tags.OWNER, "o", Tags.LEASE, "l", Tags.EXPIRES, "1");
    return new LeaseRequest(
        "r", "l", offer, Optional.empty(), tags, Duration.ofMinutes(15), near, 0);
  }

  private static Offer offer(Market market) {
    return new Offer(
        "gcp/us-central1",
        "g2-standard-4",
        "L4",
        1,
        market,
        1,
        PriceKind.LIST,
        new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
        Spread.exactly(17),
        Spread.exactly(46),
        0,
        0,
        1);
  }
}
