package io.elastune.core.offer;

import io.elastune.core.Spread;
import io.elastune.core.faults.InstanceFaultRates;

/** A mutable copy of an offer, to create one that differs in some components. */
final class OfferBuilder {
  String infra;
  String instanceType;
  String gpu;
  int gpus;
  Market market;
  double usdPerHour;
  PriceKind price;
  BillingTerms billing;
  Spread queueS;
  Spread bootS;
  double dataInUsd;
  double diskUsdPerHour;
  int coresPerGpu;
  InstanceFaultRates faults;

  OfferBuilder(Offer offer) {
    infra = offer.infra();
    instanceType = offer.instanceType();
    gpu = offer.gpu();
    gpus = offer.gpus();
    market = offer.market();
    usdPerHour = offer.usdPerHour();
    price = offer.price();
    billing = offer.billing();
    queueS = offer.queueS();
    bootS = offer.bootS();
    dataInUsd = offer.dataInUsd();
    diskUsdPerHour = offer.diskUsdPerHour();
    coresPerGpu = offer.coresPerGpu();
    faults = offer.faults();
  }

  Offer build() {
    return new Offer(
        infra,
        instanceType,
        gpu,
        gpus,
        market,
        usdPerHour,
        price,
        billing,
        queueS,
        bootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu,
        faults);
  }
}
