package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Objects;

/**
 * Provisioning times of one offer, measured on earlier leases. They replace the times in the offer.
 */
@FileSection(
    title = "provisioning",
    doc = "Measured provisioning times of an offer; they replace the times in the offer.")
public record ProvisioningTimes(
    @FileField(doc = "Name of the offer.", example = "aws/us-east-1/p3.8xlarge/on-demand")
        String offer,
    @FileField(doc = "Seconds from request to running.", example = "{mean: 15, cv: 0.3}")
        Spread queueS,
    @FileField(
            doc = "Seconds from running to ready, including the job's setup.",
            example = "{mean: 60, cv: 0.2}")
        Spread bootS,
    @FileField(
            doc =
                "The part of `boot_s` that the job's setup takes, with the image of its trials; 0"
                    + " if it was not measured.",
            absent = "{mean: 0}",
            example = "{mean: 40, cv: 0.1}")
        Spread setupS,
    @FileField(
            doc =
                "The part of `setup_s` that pulling the image of the trials takes; 0 if it was not"
                    + " measured.",
            absent = "{mean: 0}",
            example = "{mean: 30, cv: 0.1}")
        Spread imageS,
    @FileField(
            doc = "Number of measured leases; 0 if the times are those of other places.",
            example = "4")
        @Bounds(least = 0)
        int samples) {
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
