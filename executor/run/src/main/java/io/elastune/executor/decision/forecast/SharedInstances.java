package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import java.util.Arrays;
import java.util.List;

/**
 * The instances of a run whose trials all share them, by index: those that it holds, or new ones if
 * it holds none.
 */
final class SharedInstances {
  private static final int CHAIN = 0;

  private final ForecastBasis basis;
  private final Offer offer;
  private final List<LeaseState> held;

  SharedInstances(ForecastBasis basis, Offer offer) {
    this.basis = basis;
    this.offer = offer;
    this.held = basis.held();
  }

  /**
   * Returns the seconds until each instance is ready.
   *
   * @param requested the number of new instances if the run holds none
   */
  double[] readyS(int requested) {
    double[] readyS = new double[held.isEmpty() ? requested : held.size()];
    double newS = basis.newReadyS(CHAIN, offer);
    Arrays.setAll(readyS, i -> held.isEmpty() ? newS : Math.max(0, basis.readyS(held.get(i))));
    return readyS;
  }

  /** Returns the index of the first instance that an attempt uses; -1 if none is held. */
  int indexOf(AttemptState attempt) {
    for (int i = 0; i < held.size(); i++) {
      if (attempt.uses(held.get(i).lease())) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the lowest GPU that an attempt uses. */
  static int firstGpu(AttemptState attempt) {
    return attempt.places().stream().mapToInt(GpuSlot::gpu).min().orElse(0);
  }

  /** Returns the cost in USD if each instance is released after {@code releasedS} seconds. */
  double usd(double[] releasedS) {
    double usd = 0;
    for (int i = 0; i < releasedS.length; i++) {
      boolean known = i < held.size();
      double runningS =
          known ? basis.runningS(held.get(i)) : basis.retryInS(CHAIN) + offer.queueS().mean();
      double usdPerHour =
          known
              ? held.get(i).usdPerHour()
              : basis.state().usdPerHour(basis.definition(), offer.name());
      usd += ForecastBasis.usd(releasedS[i], runningS, usdPerHour);
    }
    return usd;
  }
}
