package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitedExpiryTest {
  private static final Instant START = Instant.parse("2026-11-22T01:00:00Z");
  private static final Instant LATEST = START.plusSeconds(90);
  private static final NodeExpiryLimit LIMIT =
      new NodeExpiryLimit(LATEST, Map.of("starting", Duration.ofSeconds(30)));

  @Test
  void requestedNodeIsLimitedFromItsOwnStart() {
    assertThat(LIMIT.expiryOf("running", START)).isEqualTo(LATEST);
    assertThat(LIMIT.expiryOf("starting", START.plusSeconds(80))).isEqualTo(START.plusSeconds(110));
  }

  @Test
  void limitItselfIsAllowed() {
    assertThat(LIMIT.allows("running", START, LATEST)).isTrue();
    assertThat(LIMIT.allows("running", START, LATEST.plusSeconds(1))).isFalse();
  }

  @Test
  void eitherKindOfNodeCanBeLimitedAlone() {
    assertThat(NodeExpiryLimit.NONE.isLimited()).isFalse();
    assertThat(new NodeExpiryLimit(LATEST, Map.of()).isLimited()).isTrue();
    assertThat(new NodeExpiryLimit(Instant.MAX, LIMIT.starting()).isLimited()).isTrue();
  }
}
