package io.elastune.planner.pool;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.timeline.Timeline;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.model.OfferChoice;
import java.util.List;

/**
 * Computes completion time and cost of the rest of a run whose chains share instances, for mean
 * durations. Seconds count from the start of the run, and USD are those of the whole run.
 */
final class PoolRest {
  private final Problem problem;
  private final RunSnapshot snapshot;
  private final PoolModel model;
  private final List<RentedInstance> held;

  /**
   * @param problem the remaining groups of all chains
   */
  PoolRest(Problem problem, RunSnapshot snapshot) {
    this.problem = problem;
    this.snapshot = snapshot;
    this.model = new PoolModel(problem);
    this.held = snapshot.chains().get(0).held();
  }

  /** Returns how many instances are held. */
  int held() {
    return held.size();
  }

  /** Returns the most instances that the chains can use at once. */
  int mostInstances(OfferChoice offer, List<Integer> gpus) {
    return model.mostInstances(offer, gpus);
  }

  /** Returns the forecast with {@code instances}, or with those that are held if they are more. */
  PoolCandidate evaluate(OfferChoice offer, int instances, List<Integer> gpus) {
    double[] readyS = new double[Math.max(held.size(), instances)];
    for (int i = 0; i < readyS.length; i++) {
      readyS[i] =
          i < held.size()
              ? Math.max(0, held.get(i).readyS() - snapshot.atS())
              : offer.readyAfterS();
    }
    Timeline timeline = model.played(offer, gpus, false, readyS);
    double completionS = snapshot.atS() + timeline.nowS();
    double usd = snapshot.settledUsd() + problem.running().usd(completionS);
    for (int i = 0; i < readyS.length; i++) {
      double releasedS = snapshot.atS() + timeline.instance(i).releasedS();
      usd +=
          i < held.size()
              ? offer.leaseUsd(
                  held.get(i).runningS(),
                  releasedS,
                  held.get(i).usedS() + timeline.instance(i).usedS())
              : offer.offer().dataInUsd()
                  + offer.leaseUsd(
                      snapshot.atS() + offer.offer().queueS().mean(),
                      releasedS,
                      timeline.instance(i).usedS());
    }
    return new PoolCandidate(offer, instances, gpus, completionS, usd);
  }
}
