package io.elastune.core.faults;

/**
 * The shipped fault rates, for offers and profiles that state none. Each names its source;
 * docs/decisions/0011-fault-rates-are-data.md says where they apply.
 */
public final class DefaultFaultRates {
  private static final double HOURS_PER_DAY = 24;

  /** 6.50 failures per 1,000 days of a node with eight GPUs. */
  private static final FaultRate FAILURES =
      new FaultRate(
          6.50 / 1000 / HOURS_PER_DAY,
          "Kokolis et al., Revisiting Reliability in Large-Scale Machine Learning Research"
              + " Clusters, HPCA 2025: cluster RSC-1, 11 months",
          0);

  /** The middle of the median band, 15 to 20 % per month of 730 hours. */
  private static final FaultRate SPOT_INTERRUPTIONS =
      new FaultRate(
          -Math.log1p(-0.175) / 730,
          "AWS Spot Instance Advisor, 2025-07: median of 659 GPU types and regions",
          659);

  /** Seconds from EC2's interruption notice to the interruption (EC2 User Guide). */
  private static final double NOTICE_S = 120;

  /** Seconds from Compute Engine's preemption notice to the preemption (its documentation). */
  private static final double GCP_NOTICE_S = 30;

  private static final double TOGETHER = 0.6;
  private static final double SLOW_BOOT_FACTOR = 5;

  /** The default rates of training programs. */
  public static final TrialFaultRates TRIALS =
      new TrialFaultRates(
          FaultRate.assumed(0.01), FaultRate.assumed(0.002), FaultRate.assumed(0.002));

  private DefaultFaultRates() {}

  /** Returns a source without the details of a citation: authors and year of the default rates. */
  public static String shortName(String source) {
    return source.equals(FAILURES.source())
        ? "Kokolis et al. 2025"
        : source.equals(SPOT_INTERRUPTIONS.source()) ? "AWS Spot Instance Advisor 2025" : source;
  }

  /**
   * Returns the default rates of an offer's instances.
   *
   * @param provider the provider, such as {@code aws}
   * @param spot whether it is of the spot market
   */
  public static InstanceFaultRates instances(String provider, boolean spot) {
    FaultRate preemptions =
        !spot
            ? FaultRate.NONE
            : provider.equals("aws")
                ? SPOT_INTERRUPTIONS
                : FaultRate.assumed(SPOT_INTERRUPTIONS.value());
    return new InstanceFaultRates(
        FaultRate.NONE,
        0,
        FaultRate.assumed(0.005),
        FaultRate.assumed(0.02),
        SLOW_BOOT_FACTOR,
        FAILURES,
        preemptions,
        !spot ? 0 : provider.equals("gcp") ? GCP_NOTICE_S : NOTICE_S,
        spot ? TOGETHER : 0);
  }
}
