package io.elastune.core.estimate;

/**
 * Mean cost by cause, in USD; the five add up to the mean cost.
 *
 * @param compute GPU time in which trials run
 * @param idle GPU time held and paid for without a trial, rounding to granules and minimum included
 * @param provisioning paid boot time
 * @param data data in and checkpoint storage
 * @param other charges per use, disks, the controller's machine
 */
public record CostBy(double compute, double idle, double provisioning, double data, double other) {
  /** All five together. */
  public double total() {
    return compute + idle + provisioning + data + other;
  }
}
