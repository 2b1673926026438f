package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeExpiryTest {
  private static final Instant MADE = Instant.parse("2026-11-22T01:00:00Z");
  private static final Duration RENEW = Duration.ofMinutes(5);
  private static final Duration LONG = Duration.ofMinutes(15);
  private static final Duration SHORT = Duration.ofMinutes(4);

  private final NodeExpiry lives = new NodeExpiry(RENEW);

  @Test
  void expiryIsDeadManTimePlusRenewal() {
    assertThat(lives.nextExpiry("l", LONG, MADE, MADE)).isEqualTo(MADE.plus(LONG).plus(RENEW));
    assertThat(lives.nextExpiry("l", SHORT, MADE, MADE))
        .isEqualTo(MADE.plus(SHORT.dividedBy(2)).plus(SHORT));
  }

  @Test
  void renewsOftenEnoughForOneFailure() {
    assertThat(due(Optional.empty(), LONG, RENEW.minusSeconds(1))).isFalse();
    assertThat(due(Optional.empty(), LONG, RENEW)).isTrue();
    assertThat(due(Optional.of(MADE.plusSeconds(60)), LONG, RENEW)).isFalse();
    assertThat(due(Optional.empty(), SHORT, Duration.ofMinutes(2))).isTrue();
  }

  @Test
  void retriesFailedRenewalSoon() {
    Instant failed = MADE.plus(RENEW);
    Instant last = lives.lastRenewalAfterFailure(LONG, Duration.ofSeconds(5), failed);
    assertThat(due(Optional.of(last), LONG, RENEW.plusSeconds(4))).isFalse();
    assertThat(due(Optional.of(last), LONG, RENEW.plusSeconds(5))).isTrue();
  }

  @Test
  void limitCapsExpiryAndForcesRenewal() {
    lives.setLimit(
        new NodeExpiryLimit(MADE.plusSeconds(90), Map.of("own", Duration.ofSeconds(30))));
    assertThat(lives.nextExpiry("l", LONG, MADE, MADE)).isEqualTo(MADE.plusSeconds(90));
    assertThat(lives.nextExpiry("own", LONG, MADE.plusSeconds(1), MADE.plusSeconds(9)))
        .as("counted from its creation")
        .isEqualTo(MADE.plusSeconds(31));
    assertThat(due(Optional.empty(), LONG, Duration.ZERO)).isTrue();
    assertThat(due(Optional.of(MADE), LONG, Duration.ZERO)).isFalse();
  }

  @Test
  void knowsLimitOnceExpiryIsWithinIt() {
    assertThat(lives.isWithinLimit("l", MADE, Optional.empty())).as("no limit").isTrue();
    lives.setLimit(new NodeExpiryLimit(MADE.plusSeconds(90), Map.of()));
    assertThat(lives.isWithinLimit("l", MADE, Optional.empty())).isFalse();
    assertThat(lives.isWithinLimit("l", MADE, Optional.of(MADE.plusSeconds(91)))).isFalse();
    assertThat(lives.isWithinLimit("l", MADE, Optional.of(MADE.plusSeconds(90)))).isTrue();
  }

  private boolean due(Optional<Instant> last, Duration deadMan, Duration after) {
    return lives.isDue(last, deadMan, MADE, MADE.plus(after));
  }
}
