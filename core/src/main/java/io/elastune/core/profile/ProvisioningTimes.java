package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;

/**
 * Provisioning times of one offer, measured on earlier leases. They replace the times in the offer.
 *
 * @param offer the offer's name
 * @param queueS seconds from request to running
 * @param bootS seconds from running to ready, the job's setup included
 * @param samples the number of measured leases
 */
public record ProvisioningTimes(String offer, Spread queueS, Spread bootS, int samples) {
  public ProvisioningTimes {
    Preconditions.text("offer", offer);
    Preconditions.atLeast("samples", 1, samples);
  }
}
