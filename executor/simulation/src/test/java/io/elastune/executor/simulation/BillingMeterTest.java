package io.elastune.executor.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BillingMeterTest {
  private static final double USD_PER_HOUR = 3600;

  @Test
  void useIsBilledWhileAnyAttemptRuns() {
    SimulatedInstance instance = instance(BillingTerms.Per.USE);
    instance.attemptStarted(s(0));
    instance.attemptStarted(s(40));
    instance.attemptEnded("a", s(60));
    instance.attemptEnded("a", s(100));
    instance.attemptStarted(s(200));
    assertThat(BillingMeter.usd(instance, s(220))).as("one attempt still runs").isEqualTo(120);
    instance.attemptEnded("a", s(250));
    instance.endedAt = s(300);

    assertThat(BillingMeter.usd(instance, s(400))).isEqualTo(150);
  }

  @Test
  void wholeIncrementsOfALeaseAreBilled() {
    SimulatedInstance instance = instance(BillingTerms.Per.INSTANCE);

    assertThat(BillingMeter.usd(instance, s(300))).isEqualTo(300);
    assertThat(BillingMeter.usd(instance, s(301))).isEqualTo(310);
    assertThat(BillingMeter.usd(instance, s(3))).as("the minimum").isEqualTo(60);
  }

  private static SimulatedInstance instance(BillingTerms.Per per) {
    Offer offer =
        new Offer(
            "simulated",
            "type",
            "V100",
            1,
            Market.ON_DEMAND,
            USD_PER_HOUR,
            PriceKind.LIST,
            new BillingTerms(per, 10, 60, 0),
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    Map<String, String> tags =
        Map.of(Tags.RUN, "r", Tags.OWNER, "o", Tags.LEASE, "r-1", Tags.EXPIRES, "1795000000");
    SimulatedInstance instance =
        new SimulatedInstance(
            "i-1",
            new LeaseRequest("r", "r-1", offer, Optional.empty(), tags, Duration.ofMinutes(15)));
    instance.runningAt = 0;
    return instance;
  }

  private static long s(double seconds) {
    return VirtualTime.nanos(seconds);
  }
}
