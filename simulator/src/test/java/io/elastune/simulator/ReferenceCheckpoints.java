package io.elastune.simulator;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;

/**
 * When trials of the {@link ReferenceSimulator} save checkpoints, written from the section
 * "Checkpoints" of docs/model.md: all intervals are tried.
 */
final class ReferenceCheckpoints {
  private final int units;
  private int every;
  private double overheadS;
  private final boolean savesAtNotice;

  ReferenceCheckpoints(
      TrialGroup group,
      Offer offer,
      Profile profile,
      Allocation allocation,
      double secondsPerUnit) {
    units = group.units();
    double saveS = profile.checkpointS().mean();
    InstanceFaultRates rates = offer.faults();
    savesAtNotice = rates.noticeS() > 0 && rates.noticeS() >= saveS;
    every = 1;
    if (group.saves().isEmpty() || group.fromScratch()) {
      return;
    }
    int instances = Math.max(1, allocation.gpusPerTrial() / offer.gpus());
    double lossesPerHour =
        profile.faults().crashes().value()
            + profile.faults().hangs().value()
            + instances * rates.failures().value()
            + (savesAtNotice ? 0 : instances * rates.preemptions().value());
    double torn = profile.faults().tornCheckpoint().value();
    double best = Double.MAX_VALUE;
    every = 0;
    for (int k = group.saves().get().high() >= units ? units : units - 1; k > 0; k--) {
      boolean supported =
          k == units || (k >= group.saves().get().low() && k <= group.saves().get().high());
      if (supported) {
        double expected = 0;
        int saved = 0;
        while (units - saved > k) {
          expected += saveS + lossesPerHour / 3600 * Math.pow(k * secondsPerUnit + saveS, 2) / 2;
          saved += k;
        }
        double lastS = (units - saved) * secondsPerUnit;
        expected += lossesPerHour / 3600 * lastS * lastS / 2 + torn * lastS;
        if (expected < best - 1e-9 * best) {
          best = expected;
          every = k == units ? 0 : k;
          int intervals = saved / k;
          overheadS = intervals * saveS;
        }
      }
    }
  }

  double overheadS() {
    return overheadS;
  }

  /** Units that are kept of those that an attempt has completed. */
  int kept(int completed, boolean preempted) {
    if (preempted && savesAtNotice) {
      return completed;
    }
    return every == 0 ? 0 : completed - completed % every;
  }

  /** Units that a trial repeats after its last checkpoint was torn. */
  int repeated() {
    return units - (every == 0 ? 0 : (units - 1) - (units - 1) % every);
  }
}
