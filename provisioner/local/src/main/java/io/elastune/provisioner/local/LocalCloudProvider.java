package io.elastune.provisioner.local;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Provides this machine as a cloud: instances are processes on its cores. */
public final class LocalCloudProvider implements CloudProvider {
  /** The approximate cloud price of a core, for comparison only. Nothing is charged. */
  private static final double NOTIONAL_USD_PER_HOUR = 0.05;

  private static final Offer CORE =
      new Offer(
          "local",
          "core",
          "cpu",
          1,
          Market.ON_DEMAND,
          NOTIONAL_USD_PER_HOUR,
          PriceKind.NOTIONAL,
          BillingTerms.BY_THE_SECOND,
          Spread.NONE,
          Spread.NONE,
          0,
          0,
          1);

  @Override
  public String name() {
    return "local";
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return Optional.of(new OfferCatalog("built in", "2026-11-20", List.of(CORE)));
  }

  @Override
  public List<Quota> capacity(CloudContext context, List<Offer> offers, boolean now) {
    if (offers.isEmpty()) {
      return List.of();
    }
    List<DeviceHold> holds = now ? DeviceHold.all(context.home()) : List.of();
    return new MachineCapacity(MachineDevices.ofThisMachine(), offers, holds).quotas();
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    return new LocalCloud(context.home(), context.time(), events);
  }
}
