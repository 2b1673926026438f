package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.MeanGroupRun;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.List;

/** Computes the state of a run at the barriers of its plan, with mean values. */
final class BarrierSnapshots {
  private BarrierSnapshots() {}

  /** Returns the state just before {@code group} of a chain starts. */
  static RunSnapshot before(Problem problem, Plan plan, Chain chain, int group) {
    ChoiceSet choiceSet = ChoiceSet.of(problem);
    MeanValueModel model =
        JobSearch.model(
            problem, choiceSet, chain, true, InitialHoldings.NOTHING, SearchParameters.DEFAULT);
    HeldInstances heldInstances =
        held(model, new CandidateScorer(model).score(plan).orElseThrow(), group);
    List<RentedInstance> held = new ArrayList<>();
    for (int block = 0; block < heldInstances.blocks(); block++) {
      RentedInstance instance =
          new RentedInstance(
              choiceSet.offerChoices().get(heldInstances.offerChoice()).offer().name(),
              heldInstances.runningS()[block],
              heldInstances.readyS()[block],
              heldInstances.usedS()[block]);
      for (int i = 0; i < heldInstances.counts()[block]; i++) {
        held.add(instance);
      }
    }
    RunSnapshot.ChainSnapshot left =
        new RunSnapshot.ChainSnapshot(
            chain.name(), chain.groups().subList(group, chain.groups().size()), held);
    return new RunSnapshot(heldInstances.timeS(), heldInstances.costUsd(), List.of(left));
  }

  private static HeldInstances held(
      MeanValueModel model, ChainCandidate chainCandidate, int before) {
    MeanGroupRun run = new MeanGroupRun(model);
    HeldInstances heldInstances = HeldInstances.NOTHING;
    for (int group = 0; group < before; group++) {
      TrialShape trialShape = chainCandidate.sizes().get(group);
      int instances = chainCandidate.instances().get(group);
      run.run(heldInstances, group, trialShape, instances);
      boolean same =
          chainCandidate.sizes().get(group + 1).offerChoice().equals(trialShape.offerChoice());
      int kept = same ? Math.min(instances, chainCandidate.instances().get(group + 1)) : 0;
      heldInstances = run.release(instances - kept);
    }
    return heldInstances;
  }
}
