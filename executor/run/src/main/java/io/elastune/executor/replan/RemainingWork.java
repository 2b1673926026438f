package io.elastune.executor.replan;

import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.model.GroupDelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The part of a run that can be re-planned.
 *
 * @param standing the state of the chains that can be re-planned; empty if there are none
 * @param otherS mean seconds from the start of the run until the other chains end, with faults
 * @param otherEnds the ends of the other chains
 * @param settledUsd cost in USD that cannot be changed, including that of the other chains
 */
record RemainingWork(
    Optional<RunSnapshot> standing,
    double otherS,
    List<ChainEnd> otherEnds,
    double settledUsd,
    double usdPerS) {
  /**
   * The end of a group in progress.
   *
   * @param endS seconds from the start of the run, without faults
   * @param delay the delay by faults
   */
  record ChainEnd(double endS, GroupDelay delay) {
    private static ChainEnd of(
        ReplanRequest replanRequest,
        ReplanRequest.ChainProgress chainProgress,
        RunDefinition definition) {
      Allocation allocation = chainProgress.allocation();
      Offer offer = CurrentOffer.of(replanRequest, definition.offer(allocation.offer()));
      GroupDelay delay =
          definition
              .profile(offer)
              .map(
                  profile ->
                      GroupDelay.of(
                          offer,
                          TrialsAtOnce.of(profile, chainProgress.underWay(), offer, allocation)
                              .withSlowdown(replanRequest.pace()),
                          allocation,
                          chainProgress.underWay(),
                          chainProgress.endS() - replanRequest.atS()))
              .orElse(GroupDelay.NONE);
      return new ChainEnd(chainProgress.endS(), delay);
    }

    private double meanS() {
      return endS + delay.meanS();
    }
  }

  /** Returns the groups that have not started; those in progress continue unchanged. */
  static RemainingWork later(ReplanRequest replanRequest, RunDefinition definition) {
    List<RunSnapshot.ChainSnapshot> chainSnapshots = new ArrayList<>();
    List<ChainEnd> ends = new ArrayList<>();
    double settled = replanRequest.settledUsd();
    for (ReplanRequest.ChainProgress chainProgress : replanRequest.chains()) {
      ChainEnd end = ChainEnd.of(replanRequest, chainProgress, definition);
      if (chainProgress.later().isEmpty()) {
        ends.add(end);
        for (RentedInstance rentedInstance : chainProgress.held()) {
          settled +=
              usd(offer(replanRequest, rentedInstance, definition), rentedInstance, end.meanS());
        }
      } else {
        chainSnapshots.add(
            new RunSnapshot.ChainSnapshot(
                chainProgress.name(),
                chainProgress.later(),
                chainProgress.held(),
                OptionalDouble.of(end.meanS()),
                end.delay().varianceS2(),
                chainProgress.trained()));
      }
    }
    return of(replanRequest.atS(), settled, ends, chainSnapshots, definition);
  }

  private static Offer offer(
      ReplanRequest replanRequest, RentedInstance rentedInstance, RunDefinition definition) {
    Offer offer = definition.offer(rentedInstance.offer());
    Double now = replanRequest.prices().get(rentedInstance.offer());
    return now == null ? offer : offer.withUsdPerHour(now);
  }

  /** Without the data transfer cost, which is already included. */
  private static double usd(Offer offer, RentedInstance rentedInstance, double endS) {
    double more = Math.max(0, endS - Math.max(rentedInstance.readyS(), rentedInstance.runningS()));
    return LeaseCost.of(offer, rentedInstance.runningS(), endS, rentedInstance.usedS() + more)
            .totalUsd()
        - offer.dataInUsd();
  }

  /**
   * Returns all groups including those in progress, whose trials are stopped and restart from their
   * checkpoints. This loses half a unit on average.
   */
  static RemainingWork atOnce(ReplanRequest replanRequest, RunDefinition definition) {
    List<RunSnapshot.ChainSnapshot> chainSnapshots = new ArrayList<>();
    for (ReplanRequest.ChainProgress chainProgress : replanRequest.chains()) {
      List<TrialGroup> left = new ArrayList<>(List.of(chainProgress.underWay()));
      left.addAll(chainProgress.later());
      double lost =
          chainProgress.running() ? lostS(chainProgress, replanRequest.pace(), definition) : 0;
      chainSnapshots.add(
          new RunSnapshot.ChainSnapshot(
              chainProgress.name(),
              left,
              chainProgress.held(),
              OptionalDouble.of(replanRequest.atS() + lost)));
    }
    return of(
        replanRequest.atS(), replanRequest.settledUsd(), List.of(), chainSnapshots, definition);
  }

  private static double lostS(
      ReplanRequest.ChainProgress chainProgress, double pace, RunDefinition definition) {
    Allocation allocation = chainProgress.allocation();
    Offer offer = definition.offer(allocation.offer());
    Profile profile =
        TrialsAtOnce.of(
            definition.profile(offer).orElseThrow(), chainProgress.underWay(), offer, allocation);
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow();
    return profile.checkpointS().mean() + pace * unitS / 2;
  }

  private static RemainingWork of(
      double atS,
      double settled,
      List<ChainEnd> ends,
      List<RunSnapshot.ChainSnapshot> chainSnapshots,
      RunDefinition definition) {
    Optional<RunSnapshot> runSnapshot =
        chainSnapshots.isEmpty()
            ? Optional.empty()
            : Optional.of(new RunSnapshot(atS, settled, chainSnapshots));
    double otherS = ends.stream().mapToDouble(ChainEnd::meanS).max().orElse(0);
    return new RemainingWork(runSnapshot, otherS, ends, settled, definition.running().usd(1));
  }

  /** Returns the seconds until the other chains end, each with a probability. */
  double otherSafeS(double confidence) {
    return otherEnds.stream()
        .mapToDouble(end -> end.endS() + end.delay().safeS(confidence))
        .max()
        .orElse(0);
  }

  /** Returns the prediction for a run in which nothing can be re-planned. */
  Prediction predictionWithoutReplanning(
      OptionalDouble deadlineS, OptionalDouble budgetUsd, double confidence) {
    double usd = settledUsd + usdPerS * otherS;
    double limitS = deadlineS.orElse(Double.POSITIVE_INFINITY);
    double safeS = otherSafeS(confidence);
    return new Prediction(
        deadlineS.isPresent() ? safeS : otherS,
        usd,
        DeadlineOutlook.of(safeS, otherS, limitS),
        usd <= budgetUsd.orElse(Double.POSITIVE_INFINITY));
  }
}
