package io.elastune.executor.replan;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.core.Answer.Hope;
import io.elastune.executor.core.Answer.Prediction;
import io.elastune.executor.core.Question;
import io.elastune.executor.core.RunDefinition;
import io.elastune.planner.api.RunSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The part of a run that can be re-planned.
 *
 * @param standing the state of the chains that can be re-planned; empty if there are none
 * @param otherS when the other chains end, in seconds from the start of the run
 * @param settledUsd cost in USD that cannot be changed, including that of the other chains
 */
record Rest(Optional<RunSnapshot> standing, double otherS, double settledUsd, double usdPerS) {
  /** Returns the groups that have not started; those in progress continue unchanged. */
  static Rest later(Question question, RunDefinition definition) {
    List<RunSnapshot.ChainSnapshot> chainSnapshots = new ArrayList<>();
    double otherS = 0;
    double settled = question.settledUsd();
    for (Question.Chain chain : question.chains()) {
      if (chain.later().isEmpty()) {
        otherS = Math.max(otherS, chain.endS());
        for (Question.Instance instance : chain.held()) {
          settled += usd(offer(question, instance, definition), instance, chain.endS());
        }
      } else {
        chainSnapshots.add(
            new RunSnapshot.ChainSnapshot(
                chain.name(), chain.later(), held(chain), OptionalDouble.of(chain.endS())));
      }
    }
    return of(question.atS(), settled, otherS, chainSnapshots, definition);
  }

  private static Offer offer(
      Question question, Question.Instance instance, RunDefinition definition) {
    Offer offer = definition.offer(instance.offer());
    Double now = question.prices().get(instance.offer());
    return now == null ? offer : offer.withUsdPerHour(now);
  }

  /** Without the data transfer cost, which is already included. */
  private static double usd(Offer offer, Question.Instance instance, double endS) {
    double more = Math.max(0, endS - Math.max(instance.readyS(), instance.runningS()));
    return LeaseCost.of(offer, instance.runningS(), endS, instance.usedS() + more).totalUsd()
        - offer.dataInUsd();
  }

  /**
   * Returns all groups including those in progress, whose trials are stopped and restart from their
   * checkpoints. This loses half a unit on average.
   */
  static Rest atOnce(Question question, RunDefinition definition) {
    List<RunSnapshot.ChainSnapshot> chainSnapshots = new ArrayList<>();
    for (Question.Chain chain : question.chains()) {
      List<TrialGroup> left = new ArrayList<>(List.of(chain.underWay()));
      left.addAll(chain.later());
      double lost = chain.running() ? lostS(chain, question.pace(), definition) : 0;
      chainSnapshots.add(
          new RunSnapshot.ChainSnapshot(
              chain.name(), left, held(chain), OptionalDouble.of(question.atS() + lost)));
    }
    return of(question.atS(), question.settledUsd(), 0, chainSnapshots, definition);
  }

  private static double lostS(Question.Chain chain, double pace, RunDefinition definition) {
    Allocation allocation = chain.allocation();
    Profile profile = definition.profile(definition.offer(allocation.offer())).orElseThrow();
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow();
    return profile.checkpointS().mean() + pace * unitS / 2;
  }

  private static List<RunSnapshot.InstanceSnapshot> held(Question.Chain chain) {
    return chain.held().stream()
        .map(
            one ->
                new RunSnapshot.InstanceSnapshot(
                    one.offer(), one.runningS(), one.readyS(), one.usedS()))
        .toList();
  }

  private static Rest of(
      double atS,
      double settled,
      double otherS,
      List<RunSnapshot.ChainSnapshot> chainSnapshots,
      RunDefinition definition) {
    Optional<RunSnapshot> runSnapshot =
        chainSnapshots.isEmpty()
            ? Optional.empty()
            : Optional.of(new RunSnapshot(atS, settled, chainSnapshots));
    return new Rest(runSnapshot, otherS, settled, definition.running().usd(1));
  }

  /** Returns the prediction for a run in which nothing can be re-planned. */
  Prediction alone(OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    double usd = settledUsd + usdPerS * otherS;
    return new Prediction(
        otherS,
        usd,
        otherS <= deadlineS.orElse(Double.POSITIVE_INFINITY) ? Hope.ON_TIME : Hope.LATE,
        usd <= budgetUsd.orElse(Double.POSITIVE_INFINITY));
  }
}
