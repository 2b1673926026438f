package io.elastune.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.config.SavedPlan;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.inputs.StalenessCheck.CurrentInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StalenessCheckTest {
  private static final Instant MADE = Instant.parse("2026-11-20T06:00:00Z");
  private static final Instant SOON = MADE.plus(Duration.ofHours(1));
  private static final String JOB = "name: x";
  private static final List<String> PROFILES = List.of("gpu: V100");
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";
  private static final SavedPlan SAVED =
      new SavedPlan(
          MADE,
          new SavedPlan.SavedJob("job.yaml", "/somewhere", JOB),
          PROFILES,
          "offers",
          StalenessCheck.hashes(JOB, PROFILES, "offers"),
          Map.of(OFFER, 10.0));

  @Test
  void unchangedPlanIsValidForOneDay() {
    assertThat(reasons(current(10), MADE)).isEmpty();
    assertThat(reasons(current(10), MADE.plus(StalenessCheck.MAX_AGE))).isEmpty();
    assertThat(reasons(current(10), MADE.plus(StalenessCheck.MAX_AGE).plusSeconds(1)))
        .containsExactly("the plan is 24 h old, and a plan is valid for 24 h");
  }

  @Test
  void pricesMayChangeByFivePercent() {
    assertThat(reasons(current(10.5), SOON)).isEmpty();
    assertThat(reasons(current(9.5), SOON)).isEmpty();
    assertThat(reasons(current(10.51), SOON)).singleElement().asString().contains("10.51");
    assertThat(reasons(current(9.49), SOON)).hasSize(1);
  }

  @Test
  void missingOfferMakesPlanStale() {
    OfferCatalog other = new OfferCatalog("list", "2026-11-20", List.of());
    assertThat(reasons(new CurrentInputs(Optional.of(JOB), PROFILES, other), SOON))
        .containsExactly(OFFER + " is no longer offered");
  }

  @Test
  void changedJobOrProfileMakesPlanStale() {
    assertThat(reasons(new CurrentInputs(Optional.of("name: y"), PROFILES, catalog(10)), SOON))
        .containsExactly("the job file job.yaml has changed since the plan was made");
    assertThat(reasons(new CurrentInputs(Optional.empty(), PROFILES, catalog(10)), SOON))
        .hasSize(1);
    assertThat(reasons(new CurrentInputs(Optional.of(JOB), List.of(), catalog(10)), SOON))
        .containsExactly("the profile has changed since the plan was made");
  }

  private static List<String> reasons(CurrentInputs currentInputs, Instant now) {
    return StalenessCheck.reasons(SAVED, currentInputs, now);
  }

  private static CurrentInputs current(double usdPerHour) {
    return new CurrentInputs(Optional.of(JOB), PROFILES, catalog(usdPerHour));
  }

  private static OfferCatalog catalog(double usdPerHour) {
    Offer offer =
        new Offer(
            "aws/us-east-1",
            "p3.8xlarge",
            "V100",
            4,
            Market.ON_DEMAND,
            usdPerHour,
            PriceKind.LIST,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    return new OfferCatalog("list", "2026-11-20", List.of(offer));
  }
}
