package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.profile.Profile;
import io.elastune.core.timeline.InstanceTimes;
import io.elastune.core.timeline.Timeline;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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

  /** Returns the GPUs of each instance. */
  int gpus() {
    return offer.gpus();
  }

  /**
   * Returns the seconds until each instance is ready.
   *
   * @param requested the number of new instances if the run holds none
   */
  double[] readyS(int requested) {
    double[] readyS = new double[held.isEmpty() ? requested : held.size()];
    Arrays.setAll(
        readyS,
        i ->
            held.isEmpty()
                ? basis.newReadyS(CHAIN, offer, i)
                : Math.max(0, basis.readyS(held.get(i))));
    return readyS;
  }

  /** Returns the times of the instances that are ready at given times. */
  InstanceTimes times(double[] readyS) {
    Optional<Profile> profile = basis.forecastProfile(offer);
    return (instance, nowS) -> {
      int index = instance.number();
      instance.boots(nowS, readyS[index], false);
      int number = index < held.size() ? held.get(index).number() : index;
      instance.isSlowerBy(basis.draws().slowness(profile, number));
    };
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

  /** Returns where an attempt on one instance runs, as a policy started a task of the timeline. */
  Optional<PolicyDecision.Start> startOf(AttemptState attempt, int task) {
    int index = indexOf(attempt);
    return index < 0
        ? Optional.empty()
        : Optional.of(
            new PolicyDecision.Start(
                task,
                attempt.width(),
                index,
                attempt.places().stream().map(GpuSlot::gpu).sorted().toList()));
  }

  /** Returns the lowest GPU that an attempt uses. */
  static int firstGpu(AttemptState attempt) {
    return attempt.places().stream().mapToInt(GpuSlot::gpu).min().orElse(0);
  }

  /** Returns the cost in USD of the instances of a timeline that has been played. */
  double usd(Timeline timeline) {
    return basis.usd(
        timeline,
        held,
        instance ->
            basis.newUsd(
                offer,
                basis.retryInS(CHAIN) + basis.draws().queueS(offer, instance.number()),
                instance.releasedS(),
                instance.usedS()));
  }
}
