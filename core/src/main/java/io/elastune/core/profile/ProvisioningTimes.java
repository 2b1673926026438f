package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import java.util.Objects;

/**
 * Provisioning times of one offer, measured on earlier leases. They replace the times in the offer.
 *
 * @param offer the offer's name
 * @param queueS seconds from request to running
 * @param bootS seconds from running to ready, the job's setup included
 * @param setupS the part of {@code bootS} that the job's setup took, with the image of its trials;
 *     0 if there was none or it was not measured
 * @param imageS the part of {@code setupS} that pulling the image of its trials took; 0 if there
 *     was none or it was not measured
 * @param samples the number of measured leases of the offer; 0 if the times are those of other
 *     places
 */
public record ProvisioningTimes(
    String offer, Spread queueS, Spread bootS, Spread setupS, Spread imageS, int samples) {
  public ProvisioningTimes {
    setupS = Objects.requireNonNullElse(setupS, Spread.NONE); // of earlier versions
    imageS = Objects.requireNonNullElse(imageS, Spread.NONE);
    Preconditions.text("offer", offer);
    Preconditions.atLeast("samples", 0, samples);
  }

  /** Creates times without a measured setup. */
  public ProvisioningTimes(String offer, Spread queueS, Spread bootS, int samples) {
    this(offer, queueS, bootS, Spread.NONE, Spread.NONE, samples);
  }

  /** Returns whether leases of this offer were measured. */
  public boolean isMeasured() {
    return samples > 0;
  }
}
