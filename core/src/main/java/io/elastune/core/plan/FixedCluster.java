package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import io.elastune.core.policy.PolicyOptions;

/**
 * A cluster that is requested at the start and held to the end.
 *
 * @param instances its instances, all of one offer
 * @param policy how it is divided among the trials
 */
public record FixedCluster(int instances, PolicyOptions policy) {
  public FixedCluster {
    Preconditions.atLeast("resources.instances", 1, instances);
  }
}
