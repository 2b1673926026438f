package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;

/**
 * How many trials an allocation runs at once, and where (model.md, "Slots").
 *
 * <p>A trial of at most an instance's GPUs takes one of {@code ⌊G/g⌋} slots on it; with {@code k}
 * trials per GPU there are {@code k·G}. A bigger trial takes a team of {@code g/G} whole instances.
 * An instance that is alone counts as a team of one here, so that both are counted alike. The sizes
 * are taken to be legal ({@link PlanRules}).
 */
public final class Slots {
  private Slots() {}

  /** Instances that one trial takes: 1 unless it is bigger than an instance. */
  public static int teamSize(Offer offer, Allocation allocation) {
    return Math.max(1, allocation.gpusPerTrial() / offer.gpus());
  }

  /** Teams that the held instances form; instances left over take no trial. */
  public static int teams(Offer offer, Allocation allocation) {
    return allocation.instances() / teamSize(offer, allocation);
  }

  /** Trials that run at once on one team. */
  public static int perTeam(Offer offer, Allocation allocation) {
    return Math.max(1, offer.gpus() / allocation.gpusPerTrial()) * allocation.trialsPerGpu();
  }

  /** Trials that run at once on all instances together. */
  public static int atOnce(Offer offer, Allocation allocation) {
    return teams(offer, allocation) * perTeam(offer, allocation);
  }

  /** How often the slots must be filled until {@code trials} have run, if all last equally long. */
  public static int waves(Offer offer, Allocation allocation, int trials) {
    int atOnce = atOnce(offer, allocation);
    return (trials + atOnce - 1) / atOnce;
  }

  /** The part of one instance's GPUs that a running trial keeps busy; above 1 for a team. */
  public static double instanceShare(Offer offer, Allocation allocation) {
    return (double) allocation.gpusPerTrial() / ((double) offer.gpus() * allocation.trialsPerGpu());
  }
}
