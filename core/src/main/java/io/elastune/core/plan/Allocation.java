package io.elastune.core.plan;

import io.elastune.core.Preconditions;

/**
 * The instances and GPUs that a plan assigns to one trial group.
 *
 * @param offer the offer's name
 * @param instances instances held for the group
 * @param gpusPerTrial GPUs per trial; 1 when several trials share a GPU
 * @param trialsPerGpu trials per GPU
 * @param spare how many of the instances are kept although they are idle, until the group ends: one
 *     takes the place of an instance that is lost
 */
public record Allocation(
    String offer, int instances, int gpusPerTrial, int trialsPerGpu, int spare) {
  /** Creates an allocation without a spare instance. */
  public Allocation(String offer, int instances, int gpusPerTrial, int trialsPerGpu) {
    this(offer, instances, gpusPerTrial, trialsPerGpu, 0);
  }

  public Allocation {
    Preconditions.text("offer", offer);
    Preconditions.atLeast("instances", 1, instances);
    Preconditions.atLeast("gpus_per_trial", 1, gpusPerTrial);
    Preconditions.atLeast("trials_per_gpu", 1, trialsPerGpu);
    Preconditions.that(
        trialsPerGpu == 1 || gpusPerTrial == 1,
        "gpus_per_trial must be 1 when trials_per_gpu is " + trialsPerGpu);
    Preconditions.atLeast("spare", 0, spare);
  }

  /** Returns this allocation with another number of instances. */
  public Allocation withInstances(int other) {
    return new Allocation(offer, other, gpusPerTrial, trialsPerGpu, spare);
  }

  /** Returns this allocation with a single instance: what determines where and how trials run. */
  public Allocation single() {
    return new Allocation(offer, 1, gpusPerTrial, trialsPerGpu);
  }

  /** Returns this allocation with another offer. */
  public Allocation withOffer(String other) {
    return new Allocation(other, instances, gpusPerTrial, trialsPerGpu, spare);
  }

  /** Returns this allocation with more spare instances. */
  public Allocation withMoreSpare(int more) {
    return new Allocation(offer, instances + more, gpusPerTrial, trialsPerGpu, spare + more);
  }

  /** Returns the instances that are not spare. */
  public int working() {
    return instances - spare;
  }
}
