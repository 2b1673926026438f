package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.Profile;
import java.util.Optional;

/**
 * The speed of the trials of a group beside other programs of this machine, by how many of them run
 * at once (docs/model.md, "Other programs"). All durations of trials that depend on it are derived
 * from the profile of this class, which is that of the program itself if no load was measured.
 */
public final class TrialsAtOnce {
  private TrialsAtOnce() {}

  /**
   * Returns the profile for a search: without its load if the plan does not say how many trials run
   * at once. They are then as fast as the measured ones.
   */
  public static Profile forSearch(Profile profile, Workload workload, PolicyOptions policy) {
    boolean isKnown =
        workload.chains().size() == 1 && workload.rungs().isEmpty() && !policy.choosesSizes();
    return isKnown || profile.load().isEmpty() ? profile : profile.withLoad(Optional.empty());
  }

  /** Returns the profile for the trials of a group with an allocation. */
  public static Profile of(Profile profile, TrialGroup group, Offer offer, Allocation allocation) {
    double slowdown = slowdown(profile, group.trials(), offer, allocation);
    return slowdown == 1
        ? profile
        : profile
            .withLoad(Optional.empty())
            .withSlowdown(slowdown)
            .withStartup(profile.startupS().times(slowdown));
  }

  /**
   * Returns by how much longer trials of a group take than the measured ones: the mean of all times
   * that the slots are filled, of which the last may run fewer trials.
   */
  public static double slowdown(Profile profile, int trials, Offer offer, Allocation allocation) {
    Optional<MachineLoad> known = load(profile, offer);
    if (known.isEmpty()) {
      return 1;
    }
    MachineLoad load = known.get();
    double cores = coresOfTrial(offer, allocation);
    int atOnce = SlotCounts.concurrentTrials(offer, allocation);
    int full = trials / atOnce;
    int rest = trials % atOnce;
    double ofFull = full > 0 ? full * load.slowdown(atOnce * cores) : 0;
    double ofRest = rest > 0 ? load.slowdown(rest * cores) : 0;
    return (ofFull + ofRest) / SlotCounts.waves(offer, allocation, trials);
  }

  /** Returns a lower bound of {@link #slowdown}: that of a trial that runs alone. */
  public static double leastSlowdown(Profile profile, Offer offer, Allocation allocation) {
    return load(profile, offer)
        .map(load -> load.slowdown(coresOfTrial(offer, allocation)))
        .orElse(1.0);
  }

  /** The load of this machine says nothing about others with the same GPU model. */
  private static Optional<MachineLoad> load(Profile profile, Offer offer) {
    return profile.load().filter(load -> offer.rentedProvider().equals("local"));
  }

  /** Returns the cores that a trial may keep busy. */
  private static double coresOfTrial(Offer offer, Allocation allocation) {
    return coresOfGpu(offer) * allocation.gpusPerTrial() / allocation.trialsPerGpu();
  }

  /** Returns the cores that belong to a GPU or slot of an offer of this machine. */
  public static double coresOfGpu(Offer offer) {
    return (double) Math.max(1, offer.coresPerGpu()) / Math.max(1, offer.slotsPerCore());
  }
}
