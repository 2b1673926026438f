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
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.util.regex.Pattern;

/** The section for one offer of an offers file. */
final class OfferSection {
  private static final Section<Spread> SPREAD = RecordSection.of(Spread.class);

  private static final RecordSection<Offer> RECORD =
      RecordSection.define(Offer.class)
          .codec("infra", InfraCodec.CODEC)
          .codec(
              "instanceType",
              StringCodecs.matching(
                  "name of letters, digits and '.', '_', '-'", Pattern.compile("[A-Za-z0-9._-]+")))
          .codec("gpus", NumberCodecs.wholeNumber(1, FileValueLimits.MAX_GPUS_PER_INSTANCE))
          .codec(
              "billing",
              RecordSection.define(BillingTerms.class)
                  .defaults(BillingTerms.BY_THE_SECOND)
                  .section())
          .absent("billing", BillingTerms.BY_THE_SECOND)
          .codec("queueS", SPREAD)
          .codec("bootS", SPREAD)
          .codec("coresPerGpu", NumberCodecs.wholeNumber(1, FileValueLimits.MAX_GPUS_PER_INSTANCE))
          .empty("coresPerGpu", 0, cores -> cores == 0)
          .codec("slotsPerCore", NumberCodecs.wholeNumber(1, FileValueLimits.MAX_GPUS_PER_INSTANCE))
          .empty("slotsPerCore", 0, slots -> slots == 0)
          .codec("faults", FaultRateSections.OF_OFFER)
          .empty("faults", InstanceFaultRates.NONE, InstanceFaultRates::isNone);

  private static final Field<Offer, Double> USD_PER_HOUR = RECORD.field("usdPerHour");
  private static final Field<Offer, PriceKind> PRICE = RECORD.field("price");
  private static final Field<Offer, Integer> CORES_PER_GPU = RECORD.field("coresPerGpu");
  private static final Field<Offer, Integer> SLOTS_PER_CORE = RECORD.field("slotsPerCore");

  static final Section<Offer> SECTION = RECORD.section(OfferSection::check);

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
    boolean shared = fieldValues.find(SLOTS_PER_CORE).filter(slots -> slots > 1).isPresent();
    if (shared && fieldValues.find(CORES_PER_GPU).filter(cores -> cores > 1).isPresent()) {
      fieldValues.problem(
          SLOTS_PER_CORE,
          "contradicts cores_per_gpu: slots share a core, or have several",
          "leave one of them out");
    }
  }
}
