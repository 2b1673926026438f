package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.List;

/** Computes the state of a run at the barriers of its plan, with mean values. */
final class Barriers {
  private Barriers() {}

  /** Returns the state just before {@code group} of a chain starts. */
  static Standing before(Problem problem, Plan plan, Chain chain, int group) {
    Menu menu = Menu.of(problem);
    ChainModel model =
        JobSearch.model(problem, menu, chain, true, Start.NOTHING, SearchParameters.DEFAULT);
    Held held = held(model, new Scorer(model).score(plan).orElseThrow(), group);
    List<Standing.Instance> instances = new ArrayList<>();
    for (int block = 0; block < held.blocks(); block++) {
      Standing.Instance instance =
          new Standing.Instance(
              menu.rentals().get(held.rental()).offer().name(),
              held.runningS()[block],
              held.readyS()[block],
              held.usedS()[block]);
      for (int i = 0; i < held.counts()[block]; i++) {
        instances.add(instance);
      }
    }
    Standing.Chain left =
        new Standing.Chain(
            chain.name(), chain.groups().subList(group, chain.groups().size()), instances);
    return new Standing(held.timeS(), held.costUsd(), List.of(left));
  }

  private static Held held(ChainModel model, Draft draft, int before) {
    GroupRun run = new GroupRun(model);
    Held held = Held.NOTHING;
    for (int group = 0; group < before; group++) {
      Size size = draft.sizes().get(group);
      int instances = draft.instances().get(group);
      run.run(held, group, size, instances);
      boolean same = draft.sizes().get(group + 1).rental().equals(size.rental());
      int kept = same ? Math.min(instances, draft.instances().get(group + 1)) : 0;
      held = run.release(instances - kept);
    }
    return held;
  }
}
