package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.offer.BillingTerms;
import java.util.List;

/** The section {@code billing} of an offer. */
final class BillingSection {
  private static final double LEAST_GRANULE_S = 0.001;
  private static final BillingTerms DEFAULT = BillingTerms.BY_THE_SECOND;
  private static final Field<BillingTerms, BillingTerms.Per> PER =
      Field.withDefault(
          "per",
          StringCodecs.word(BillingTerms.Per.values(), BillingTerms.Per::word),
          DEFAULT.per(),
          BillingTerms::per,
          "`instance` bills from running to release; `use` bills only while a trial runs.",
          "instance");
  private static final Field<BillingTerms, Double> GRANULARITY =
      Field.withDefault(
          "granularity_s",
          FileValueLimits.seconds(LEAST_GRANULE_S),
          DEFAULT.granularityS(),
          BillingTerms::granularityS,
          "Billing increment: billed seconds are a multiple of it.",
          "1");
  private static final Field<BillingTerms, Double> MINIMUM =
      Field.withDefault(
          "minimum_s",
          FileValueLimits.seconds(),
          DEFAULT.minimumS(),
          BillingTerms::minimumS,
          "Minimum billed seconds of an instance that has reached running.",
          "60");
  private static final Field<BillingTerms, Double> PER_USE =
      Field.withDefault(
          "per_use_usd",
          FileValueLimits.usd("USD"),
          DEFAULT.perUseUsd(),
          BillingTerms::perUseUsd,
          "Charge for every instance that reaches running.",
          "0");

  static final Section<BillingTerms> SECTION =
      Section.of(
          "offers.billing",
          "Billing terms of an offer.",
          List.of(PER, GRANULARITY, MINIMUM, PER_USE),
          fieldValues ->
              new BillingTerms(
                  fieldValues.get(PER),
                  fieldValues.get(GRANULARITY),
                  fieldValues.get(MINIMUM),
                  fieldValues.get(PER_USE)));

  private BillingSection() {}
}
