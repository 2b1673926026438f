package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;

/**
 * Computes how many trials an allocation runs at once (docs/model.md, "Time").
 *
 * <p>A trial that fits into an instance uses one of its {@code ⌊G/g⌋} slots; with {@code k} trials
 * per GPU there are {@code k·G} slots. A larger trial uses a team of {@code g/G} whole instances.
 * In this class, a single instance counts as a team of one. Sizes must be legal ({@link
 * PlanRules}).
 */
public final class SlotCounts {
  /** The most GPUs of an instance of which a trial of chains that share instances uses some. */
  public static final int MOST_SHARED_GPUS = Long.SIZE;

  private SlotCounts() {}

  /** Returns the instances per trial: 1 unless the trial is larger than an instance. */
  public static int teamSize(Offer offer, Allocation allocation) {
    return Math.max(1, allocation.gpusPerTrial() / offer.gpus());
  }

  /** Returns the number of teams that the held instances form; leftover instances run no trial. */
  public static int teams(Offer offer, Allocation allocation) {
    return allocation.instances() / teamSize(offer, allocation);
  }

  /** Returns the number of trials that run at once on one team. */
  public static int trialsPerTeam(Offer offer, Allocation allocation) {
    return Math.max(1, offer.gpus() / allocation.gpusPerTrial()) * allocation.trialsPerGpu();
  }

  /** Returns the number of trials that run at once on all instances. */
  public static int concurrentTrials(Offer offer, Allocation allocation) {
    return teams(offer, allocation) * trialsPerTeam(offer, allocation);
  }

  /** Returns how many times the slots are filled to run {@code trials} of equal duration. */
  public static int waves(Offer offer, Allocation allocation, int trials) {
    int atOnce = concurrentTrials(offer, allocation);
    return (trials + atOnce - 1) / atOnce;
  }

  /** Returns the fraction of one instance's GPUs that a running trial uses; above 1 for a team. */
  public static double instanceShare(Offer offer, Allocation allocation) {
    return (double) allocation.gpusPerTrial() / ((double) offer.gpus() * allocation.trialsPerGpu());
  }
}
