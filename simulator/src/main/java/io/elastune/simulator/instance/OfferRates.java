package io.elastune.simulator.instance;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/** The prices of an offer per second. */
public record OfferRates(
    BillingTerms terms,
    boolean useOnly,
    double usdPerS,
    double diskUsdPerS,
    double perUseUsd,
    double dataInUsd) {
  public static OfferRates of(Offer offer) {
    return new OfferRates(
        offer.billing(),
        offer.billing().per() == BillingTerms.Per.USE,
        offer.usdPerHour() / Billing.SECONDS_PER_HOUR,
        offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR,
        offer.billing().perUseUsd(),
        offer.dataInUsd());
  }
}
