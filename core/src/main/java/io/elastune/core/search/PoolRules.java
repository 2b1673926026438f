package io.elastune.core.search;

/** How many of the instances that chains share are still needed. */
public final class PoolRules {
  /** Tolerance for rounding errors in sums of GPUs. */
  private static final double ROUNDING_GPUS = 1e-9;

  private PoolRules() {}

  /** Returns the GPUs that so many tasks of a group use at once, with those they make unusable. */
  public static double demandGpus(PoolGroup group, int tasks, int gpusPerInstance) {
    int tasksPerInstance = gpusPerInstance / group.gpus();
    return (double) tasks * gpusPerInstance / tasksPerInstance;
  }

  /** Returns how many instances are kept for so many GPUs; idle ones beyond are released. */
  public static int keptInstances(double demandGpus, int gpusPerInstance) {
    return (int) Math.ceil((demandGpus - ROUNDING_GPUS) / gpusPerInstance);
  }
}
