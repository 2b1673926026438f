package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.MeanGroupRun;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Static clusters of which only the use is billed: there the fastest sizes are not the cheapest. Of
 * all choices of sizes those are kept, group by group, that no other one dominates.
 */
final class UseBilledStaticPlans {
  private final MeanValueModel model;
  private final MeanGroupRun run;
  private final OfferChoice offerChoice;
  private final int instances;

  /** The first groups of a cluster, with time and cost if it ended there. */
  private record Begun(HeldInstances held, List<TrialShape> sizes, ChainCandidate soFar)
      implements TimeAndCost {
    @Override
    public double completionS() {
      return soFar.completionS();
    }

    @Override
    public double costUsd() {
      return soFar.costUsd();
    }
  }

  UseBilledStaticPlans(MeanValueModel model, OfferChoice offerChoice, int instances) {
    this.model = model;
    this.run = new MeanGroupRun(model);
    this.offerChoice = offerChoice;
    this.instances = instances;
  }

  /** Returns all that no other one dominates, the fastest first. */
  List<ChainCandidate> all() {
    HeldInstances start = model.start().forGroup(offerChoice, instances);
    ChainCandidate nothing = ChainCandidate.of(new TrialShape[0], new int[0], 0, 0, 0);
    List<Begun> begun = List.of(new Begun(start, List.of(), nothing));
    for (int group = 0; group < model.groups(); group++) {
      ParetoFront<Begun> next =
          new ParetoFront<>((a, b) -> ChainCandidate.BY_ALLOCATIONS.compare(a.soFar(), b.soFar()));
      for (Begun one : begun) {
        for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
          if (trialShape.team() <= instances) {
            next.add(after(one, group, trialShape));
          }
        }
      }
      begun = next.items();
    }
    return begun.stream().map(Begun::soFar).toList();
  }

  private Begun after(Begun before, int group, TrialShape trialShape) {
    run.run(before.held(), group, trialShape, instances);
    List<TrialShape> trialShapes = new ArrayList<>(before.sizes());
    trialShapes.add(trialShape);
    int[] counts = new int[trialShapes.size()];
    Arrays.fill(counts, instances);
    double meanS = run.endS();
    double costUsd = run.heldToTheEndUsd() + meanS * model.clockUsdPerS();
    ChainCandidate soFar =
        ChainCandidate.of(
            trialShapes.toArray(TrialShape[]::new),
            counts,
            model.safeS(meanS, run.endS2()),
            meanS,
            costUsd);
    return new Begun(run.release(0), trialShapes, soFar);
  }
}
