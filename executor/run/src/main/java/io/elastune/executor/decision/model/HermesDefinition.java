package io.elastune.executor.decision.model;

import io.elastune.core.policy.HermesRule;
import io.elastune.core.profile.Profile;

/**
 * How Hermes divides the instances of a run among its trials (docs/searches.md, "Hermes").
 *
 * @param unitS mean seconds per unit on one GPU
 * @param startupS mean seconds until the first unit of an attempt starts
 * @param checkpointS mean seconds to write a checkpoint
 */
public record HermesDefinition(HermesRule rule, double unitS, double startupS, double checkpointS) {

  /** Returns the definition for the training program of a profile. */
  public static HermesDefinition of(HermesRule rule, Profile profile) {
    return new HermesDefinition(
        rule,
        profile.secondsPerUnit(1).orElseThrow(),
        profile.startupS().mean(),
        profile.checkpointS().mean());
  }
}
