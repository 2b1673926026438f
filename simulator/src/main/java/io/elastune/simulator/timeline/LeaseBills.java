package io.elastune.simulator.timeline;

import io.elastune.core.plan.RentedInstance;
import io.elastune.core.timeline.Bills;
import io.elastune.core.timeline.Instance;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.OfferRates;
import java.util.Arrays;

/** The bills of the instances of a pool in one sample (see {@link CostTotals#bill}). */
final class LeaseBills implements Bills {
  private final SampledInstances instances;
  private final CostTotals costTotals;

  /** By number of an instance: the cost in USD that was attributed so far. */
  private double[] bookedUsd = new double[8];

  LeaseBills(SampledInstances instances, CostTotals costTotals) {
    this.instances = instances;
    this.costTotals = costTotals;
  }

  @Override
  public void requested(Instance instance) {
    int number = instance.number();
    if (number >= bookedUsd.length) {
      bookedUsd = Arrays.copyOf(bookedUsd, 2 * number);
    }
    bookedUsd[number] = 0;
    if (instances.heldBefore(number).isEmpty()) { // the data transfer of the others is paid
      begin(instance);
    }
  }

  private void begin(Instance instance) {
    int number = instance.number();
    bookedUsd[number] = 0;
    double usd = instances.prices(number).dataInUsd();
    costTotals.addData(instance.requester(), usd);
  }

  @Override
  public void bootFailed(Instance instance) {
    bill(instance, instance.requester(), instance.bootedS());
    begin(instance);
  }

  @Override
  public void attribute(Instance instance, int phase, double fromS, double toS) {
    OfferRates rates = instances.prices(instance.number());
    double usableS = Math.max(0, toS - Math.max(instance.bootedS(), fromS));
    double usd = (rates.useOnly() ? instance.usedNowS() : usableS) * rates.usdPerS();
    bookedUsd[instance.number()] += usd;
    costTotals.groupUsd[phase] += usd + usableS * rates.diskUsdPerS();
  }

  @Override
  public void released(Instance instance, int phase, double fromS) {
    attribute(instance, phase, fromS, instance.releasedS());
    // All cost of a boot that fails belongs to the phase that requested it.
    bill(instance, instance.bootFails() ? instance.requester() : phase, instance.releasedS());
  }

  private void bill(Instance instance, int phase, double endS) {
    costTotals.bill(
        instances.prices(instance.number()),
        instance.requester(),
        phase,
        instance.runningS(),
        instance.bootedS(),
        endS,
        instances.heldBefore(instance.number()).map(RentedInstance::usedS).orElse(0.0)
            + instance.usedS(),
        instance.busyS(),
        bookedUsd[instance.number()]);
  }
}
