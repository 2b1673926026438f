package io.elastune.executor.decision.forecast;

import io.elastune.core.billing.HourlyCosts;
import java.time.Instant;
import java.util.List;

/**
 * What must still be paid if everything is released now, depending on how long the release takes.
 *
 * @param open the bills of the leases that have not ended, at worst
 * @param fixedUsd what does not depend on the release: the rest of ended leases, less what the open
 *     ones have cost so far
 * @param running the controller's machine and checkpoint storage, paid while a lease is open
 */
record CommittedCost(Instant now, List<LeaseBill> open, double fixedUsd, HourlyCosts running) {
  /** Returns the committed USD if the release takes {@code seconds}. */
  double usd(double seconds) {
    Instant end = now.plusMillis(Math.round(seconds * 1000));
    double usd = fixedUsd;
    for (LeaseBill bill : open) {
      usd += bill.usd(end);
    }
    return usd + (open.isEmpty() ? 0 : running.usd(seconds));
  }
}
