package io.elastune.provisioner.remote;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;

/**
 * Creates offers at list prices, with assumed queueing and boot times. EC2 (Linux) and Compute
 * Engine bill per second, with a minimum of one minute.
 */
public final class ListPriceOffers {
  private static final BillingTerms BILLING = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  private ListPriceOffers() {}

  /**
   * Returns an offer.
   *
   * @param usdPerHour the list price of the instance type
   * @param charges the disk and address of a node
   */
  public static Offer offer(
      Location place,
      String type,
      String gpu,
      int gpus,
      Market market,
      double usdPerHour,
      NodeCharges charges) {
    return new Offer(
        place.infra(),
        type,
        gpu,
        gpus,
        market,
        usdPerHour,
        PriceKind.LIST,
        BILLING,
        AssumedProvisioning.queueS(),
        AssumedProvisioning.bootS(gpus),
        0,
        charges.usdPerHour(),
        1);
  }
}
