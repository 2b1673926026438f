package io.elastune.core.offer;

import io.elastune.core.Preconditions;

/**
 * How the seconds of a lease become billed seconds (docs/model.md, "Money").
 *
 * @param per whether the lease is billed from running to release, or only while a trial runs
 * @param granularityS billing increment in seconds: billed seconds are a multiple of it; above 0
 * @param minimumS minimum billed seconds of a lease that has reached running
 * @param perUseUsd USD charged once for every lease that reaches running
 */
public record BillingTerms(Per per, double granularityS, double minimumS, double perUseUsd) {
  /** Billing by the second, without a minimum. */
  public static final BillingTerms BY_THE_SECOND = new BillingTerms(Per.INSTANCE, 1, 0, 0);

  /** What is billed: the whole lease, or only the time in which trials run. */
  public enum Per {
    INSTANCE("instance"),
    USE("use");

    private final String word;

    Per(String word) {
      this.word = word;
    }

    /** Returns the name used in files. */
    public String word() {
      return word;
    }
  }

  public BillingTerms {
    Preconditions.positive("granularity_s", granularityS);
    Preconditions.notNegative("minimum_s", minimumS);
    Preconditions.notNegative("per_use_usd", perUseUsd);
  }
}
