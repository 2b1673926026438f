package io.elastune.core.estimate;

/**
 * Mean cost in USD by category. The five categories add up to the mean cost.
 *
 * @param compute GPU time in which trials run
 * @param idle paid GPU time without a trial, including rounding to billing increments and minimum
 * @param provisioning paid boot time
 * @param data data-in and checkpoint storage
 * @param other per-use charges, disks and the controller's machine
 */
public record CostBreakdown(
    double compute, double idle, double provisioning, double data, double other) {
  /** Returns the sum of the five categories. */
  public double total() {
    return compute + idle + provisioning + data + other;
  }

  /** Returns the sums by category. */
  public CostBreakdown plus(CostBreakdown more) {
    return new CostBreakdown(
        compute + more.compute,
        idle + more.idle,
        provisioning + more.provisioning,
        data + more.data,
        other + more.other);
  }
}
