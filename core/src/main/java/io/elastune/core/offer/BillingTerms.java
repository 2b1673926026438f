package io.elastune.core.offer;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;

/** How the seconds of a lease become billed seconds (docs/model.md, "Money"). */
@FileSection(title = "offers.billing", doc = "Billing terms of an offer.")
public record BillingTerms(
    @FileField(
            doc = "`instance` bills from running to release; `use` bills only while a trial runs.",
            example = "instance")
        Per per,
    @FileField(doc = "Billing increment: billed seconds are a multiple of it.", example = "1")
        @Bounds(least = BillingTerms.LEAST_GRANULE_S, most = Bounds.MOST_S, unit = "seconds")
        double granularityS,
    @FileField(
            doc = "Minimum billed seconds of an instance that has reached running.",
            example = "60")
        @Bounds(least = 0, most = Bounds.MOST_S, unit = "seconds")
        double minimumS,
    @FileField(doc = "Charge for every instance that reaches running.", example = "0")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD")
        double perUseUsd) {
  static final double LEAST_GRANULE_S = 0.001;

  /** Billing by the second, without a minimum. */
  public static final BillingTerms BY_THE_SECOND = new BillingTerms(Per.INSTANCE, 1, 0, 0);

  /** What is billed: the whole lease, or only the time in which trials run. */
  public enum Per implements Word {
    INSTANCE,
    USE
  }

  public BillingTerms {
    Preconditions.positive("granularity_s", granularityS);
    Preconditions.notNegative("minimum_s", minimumS);
    Preconditions.notNegative("per_use_usd", perUseUsd);
  }
}
