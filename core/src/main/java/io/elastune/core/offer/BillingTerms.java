package io.elastune.core.offer;

import io.elastune.core.Check;

/**
 * How the seconds of a lease become billed seconds (model.md, "Money").
 *
 * @param per whether the lease is billed from running to release, or only while a trial runs
 * @param granularityS billed seconds are a multiple of this; above 0
 * @param minimumS the least that is billed once a lease is running, in seconds
 * @param perUseUsd charged once for every lease that reaches running
 */
public record BillingTerms(Per per, double granularityS, double minimumS, double perUseUsd) {
  /** By the second, no minimum. */
  public static final BillingTerms BY_THE_SECOND = new BillingTerms(Per.INSTANCE, 1, 0, 0);

  /** What is billed. */
  public enum Per {
    INSTANCE("instance"),
    USE("use");

    private final String word;

    Per(String word) {
      this.word = word;
    }

    /** The word used in files. */
    public String word() {
      return word;
    }
  }

  public BillingTerms {
    Check.positive("granularity_s", granularityS);
    Check.notNegative("minimum_s", minimumS);
    Check.notNegative("per_use_usd", perUseUsd);
  }
}
