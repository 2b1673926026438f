package io.elastune.core.files;

import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.offer.BillingTerms;
import java.util.List;

/** The section {@code billing} of an offer. */
final class BillingSection {
  private static final double LEAST_GRANULE_S = 0.001;
  private static final BillingTerms DEFAULT = BillingTerms.BY_THE_SECOND;
  private static final Field<BillingTerms, BillingTerms.Per> PER =
      Field.withDefault(
          "per",
          Texts.word(BillingTerms.Per.values(), BillingTerms.Per::word),
          DEFAULT.per(),
          BillingTerms::per,
          "`instance` bills from running to release; `use` bills only while a trial runs.",
          "instance");
  private static final Field<BillingTerms, Double> GRANULARITY =
      Field.withDefault(
          "granularity_s",
          Bounds.seconds(LEAST_GRANULE_S),
          DEFAULT.granularityS(),
          BillingTerms::granularityS,
          "Billing increment: billed seconds are a multiple of it.",
          "1");
  private static final Field<BillingTerms, Double> MINIMUM =
      Field.withDefault(
          "minimum_s",
          Bounds.seconds(),
          DEFAULT.minimumS(),
          BillingTerms::minimumS,
          "Minimum billed seconds of an instance that has reached running.",
          "60");
  private static final Field<BillingTerms, Double> PER_USE =
      Field.withDefault(
          "per_use_usd",
          Bounds.usd("USD"),
          DEFAULT.perUseUsd(),
          BillingTerms::perUseUsd,
          "Charge for every instance that reaches running.",
          "0");

  static final Section<BillingTerms> SECTION =
      Section.of(
          "offers.billing",
          "Billing terms of an offer.",
          List.of(PER, GRANULARITY, MINIMUM, PER_USE),
          values ->
              new BillingTerms(
                  values.get(PER),
                  values.get(GRANULARITY),
                  values.get(MINIMUM),
                  values.get(PER_USE)));

  private BillingSection() {}
}
