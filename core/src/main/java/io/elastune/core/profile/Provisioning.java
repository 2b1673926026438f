package io.elastune.core.profile;

import io.elastune.core.Check;
import io.elastune.core.Spread;

/**
 * Provisioning overhead measured on our own leases of one offer; used instead of the offer's own
 * figures.
 *
 * @param offer the offer's name
 * @param queueS seconds from request to running
 * @param bootS seconds from running to ready, the job's setup included
 * @param samples the number of leases
 */
public record Provisioning(String offer, Spread queueS, Spread bootS, int samples) {
  public Provisioning {
    Check.text("offer", offer);
    Check.atLeast("samples", 1, samples);
  }
}
