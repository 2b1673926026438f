package io.elastune.core.config;

import io.elastune.core.Spread;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section for one offer of an offers file. */
final class OfferSection {
  private static final Section<Spread> SPREAD = RecordSection.of(Spread.class);

  private static final Field<Offer, String> INFRA =
      Field.required("infra", InfraCodec.CODEC, Offer::infra, "Location.", "aws/us-east-1");
  private static final Field<Offer, String> INSTANCE_TYPE =
      Field.required(
          "instance_type",
          StringCodecs.matching(
              "name of letters, digits and '.', '_', '-'", Pattern.compile("[A-Za-z0-9._-]+")),
          Offer::instanceType,
          "The provider's name of the instance type.",
          "p3.8xlarge");
  private static final Field<Offer, String> GPU =
      Field.required(
          "gpu", StringCodecs.text(), Offer::gpu, "The GPU model; it selects the profile.", "V100");
  private static final Field<Offer, Integer> GPUS =
      Field.required(
          "gpus",
          NumberCodecs.wholeNumber(1, FileValueLimits.MAX_GPUS_PER_INSTANCE),
          Offer::gpus,
          "GPUs per instance; on `local`, slots: each has a GPU, or `cores_per_gpu` cores if `gpu`"
              + " is `cpu` or the machine has no GPU.",
          "4");
  private static final Field<Offer, Market> MARKET =
      Field.withDefault(
          "market",
          StringCodecs.word(Market.values(), Market::word),
          Market.ON_DEMAND,
          Offer::market,
          "Market on which the capacity is bought.",
          "on-demand");
  private static final Field<Offer, Double> USD_PER_HOUR =
      Field.required(
          "usd_per_hour",
          FileValueLimits.usd("USD per hour"),
          Offer::usdPerHour,
          "Price of one instance, before the job's discount; a list price is above 0.",
          "12.24");
  private static final Field<Offer, PriceKind> PRICE =
      Field.withDefault(
          "price",
          StringCodecs.word(PriceKind.values(), PriceKind::word),
          PriceKind.LIST,
          Offer::price,
          "`list` is charged; `notional` (local, simulated, own cluster) is only shown.",
          "list");
  private static final Field<Offer, BillingTerms> BILLING =
      Field.withDefault(
          "billing",
          RecordSection.define(BillingTerms.class).defaults(BillingTerms.BY_THE_SECOND).section(),
          BillingTerms.BY_THE_SECOND,
          Offer::billing,
          "Billing terms.",
          "{per: instance, granularity_s: 1, minimum_s: 60, per_use_usd: 0}");
  private static final Field<Offer, Spread> QUEUE =
      Field.required(
          "queue_s",
          SPREAD,
          Offer::queueS,
          "Seconds from request to running; not billed. An instance that is released before it is"
              + " running costs nothing but its data-in.",
          "{mean: 15, cv: 0.3}");
  private static final Field<Offer, Spread> BOOT =
      Field.required(
          "boot_s",
          SPREAD,
          Offer::bootS,
          "Seconds from running to ready, including the job's setup; billed.",
          "{mean: 60, cv: 0.2}");
  private static final Field<Offer, Double> DATA_IN =
      Field.withDefault(
          "data_in_usd",
          FileValueLimits.usd("USD"),
          0.0,
          Offer::dataInUsd,
          "Charge for every instance requested.",
          "0");
  private static final Field<Offer, Double> DISK =
      Field.withDefault(
          "disk_usd_per_hour",
          FileValueLimits.usd("USD per hour"),
          0.0,
          Offer::diskUsdPerHour,
          "Charged from running to release.",
          "0");
  private static final Field<Offer, Integer> CORES =
      Field.optional(
          "cores_per_gpu",
          NumberCodecs.wholeNumber(1, FileValueLimits.MAX_GPUS_PER_INSTANCE),
          "the machine's cores divided by its GPUs; 1 for a slot without a GPU",
          offer -> Optional.of(offer.coresPerGpu()).filter(cores -> cores > 0),
          "On `local`: cores per slot.",
          "1");

  private static final Field<Offer, InstanceFaultRates> FAULTS =
      Field.optional(
          "faults",
          FaultRateSections.OF_OFFER,
          "no faults",
          offer -> Optional.of(offer.faults()).filter(rates -> !rates.isNone()),
          "Rates at which its instances fail; predictions include them.",
          "{failures: {value: 0.0003, source: run history, evidence: 9000}}");

  static final Section<Offer> SECTION =
      Section.of(
              "offers",
              "The offers: a list of these. An offer's name is `infra/instance_type/market`.",
              List.of(
                  INFRA,
                  INSTANCE_TYPE,
                  GPU,
                  GPUS,
                  MARKET,
                  USD_PER_HOUR,
                  PRICE,
                  BILLING,
                  QUEUE,
                  BOOT,
                  DATA_IN,
                  DISK,
                  CORES,
                  FAULTS),
              OfferSection::build)
          .withValidation(OfferSection::check);

  private OfferSection() {}

  /** A list price of 0 would let a plan exceed its budget without notice. */
  private static void check(FieldValues fieldValues) {
    boolean charged = fieldValues.find(PRICE).filter(PriceKind.LIST::equals).isPresent();
    if (charged && fieldValues.find(USD_PER_HOUR).filter(usd -> usd == 0).isPresent()) {
      fieldValues.problem(
          USD_PER_HOUR,
          "must be above 0 for a list price",
          "give the real price, or set price: notional if nothing is charged");
    }
  }

  private static Offer build(FieldValues fieldValues) {
    return new Offer(
        fieldValues.get(INFRA),
        fieldValues.get(INSTANCE_TYPE),
        fieldValues.get(GPU),
        fieldValues.get(GPUS),
        fieldValues.get(MARKET),
        fieldValues.get(USD_PER_HOUR),
        fieldValues.get(PRICE),
        fieldValues.get(BILLING),
        fieldValues.get(QUEUE),
        fieldValues.get(BOOT),
        fieldValues.get(DATA_IN),
        fieldValues.get(DISK),
        fieldValues.find(CORES).orElse(0),
        fieldValues.find(FAULTS).orElse(InstanceFaultRates.NONE));
  }
}
