package io.elastune.core.search;

import java.util.List;

/** The order of chains that share instances, and how many of the instances are still needed. */
public final class PoolRules {
  /** Tolerance for rounding errors in sums of GPUs. */
  private static final double ROUNDING_GPUS = 1e-9;

  private PoolRules() {}

  /** Returns the GPUs that so many tasks of a group use at once, with those they make unusable. */
  public static double demandGpus(PoolGroup group, int tasks, int gpusPerInstance) {
    int tasksPerInstance = gpusPerInstance / group.gpus();
    return (double) tasks * gpusPerInstance / tasksPerInstance;
  }

  /** Returns the most GPUs that a chain uses at once in any of its remaining groups. */
  public static double demandGpus(List<PoolGroup> remaining, int gpusPerInstance) {
    return remaining.stream()
        .mapToDouble(group -> demandGpus(group, group.trials(), gpusPerInstance))
        .max()
        .orElse(0);
  }

  /** Returns how many instances are kept for so many GPUs; idle ones beyond are released. */
  public static int keptInstances(double demandGpus, int gpusPerInstance) {
    return (int) Math.ceil((demandGpus - ROUNDING_GPUS) / gpusPerInstance);
  }

  /** Whether so many GPUs need at least {@code instances} instances, so that none is released. */
  public static boolean needsAll(double demandGpus, int instances, int gpusPerInstance) {
    return demandGpus - ROUNDING_GPUS > (instances - 1) * (double) gpusPerInstance;
  }

  /**
   * Returns the mean seconds of one task of each remaining group, one after the other: the
   * remaining path of a chain.
   */
  public static double pathS(List<PoolGroup> remaining) {
    double pathS = 0;
    for (int i = remaining.size() - 1; i >= 0; i--) {
      pathS += remaining.get(i).taskS();
    }
    return pathS;
  }

  /**
   * Whether a chain is served before another: the one with the longer remaining path, and of equal
   * ones the one with the lower index.
   */
  public static boolean goesFirst(double pathS, int chain, double otherPathS, int other) {
    double difference = pathS - otherPathS;
    return difference > 0 || (difference == 0 && chain < other);
  }
}
