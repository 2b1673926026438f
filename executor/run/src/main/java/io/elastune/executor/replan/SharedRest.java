package io.elastune.executor.replan;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.pool.PoolReplanner;
import io.elastune.planner.rung.RungReplanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rest of a run all of whose trials share instances: those of several chains, or of a search
 * made of rungs. Other plans are on the same offer.
 *
 * @param plans the plans of this rest
 * @param moves whether tasks may move to fewer instances when no new trial starts
 */
record SharedRest(ReplanRequest request, Plan current, RestPlans plans, boolean moves) {
  /**
   * Creates the rest of chains.
   *
   * @param problem the offers and profiles as the run knows them now
   * @param current the present allocations
   */
  static SharedRest ofChains(ReplanRequest request, Problem problem, Plan current) {
    String offer = offer(request);
    return new SharedRest(
        request,
        current,
        new PoolReplanner(
            problem, snapshot(request), present(request), offer, request.refused().contains(offer)),
        false);
  }

  /**
   * Creates the rest of a search made of rungs.
   *
   * @param current the present allocations
   * @param moves whether tasks may move to fewer instances when no new trial starts
   */
  static SharedRest ofRungs(ReplanRequest request, Problem problem, Plan current, boolean moves) {
    RungProgress progress = request.rungs().orElseThrow();
    String offer = offer(request);
    return new SharedRest(
        request,
        current,
        new RungReplanner(
            problem, snapshot(request), progress, offer, moves, request.refused().contains(offer)),
        moves && progress.state().phase() != RungState.Phase.OPEN);
  }

  private static String offer(ReplanRequest request) {
    return request.chains().get(0).allocation().offer();
  }

  /** Runs that earlier builds have started request plans without the trials one by one. */
  private static List<PresentGroup> present(ReplanRequest request) {
    return request.chains().stream()
        .map(chain -> chain.present().orElseGet(() -> PresentGroup.waiting(chain.underWay())))
        .toList();
  }

  private static RunSnapshot snapshot(ReplanRequest request) {
    List<RunSnapshot.ChainSnapshot> chains = new ArrayList<>();
    for (ReplanRequest.ChainProgress chain : request.chains()) {
      List<TrialGroup> left = new ArrayList<>(List.of(chain.underWay()));
      left.addAll(chain.later());
      // All chains have the same instances.
      List<RentedInstance> held = chains.isEmpty() ? chain.held() : List.of();
      chains.add(new RunSnapshot.ChainSnapshot(chain.name(), left, held));
    }
    return new RunSnapshot(request.atS(), request.settledUsd(), chains);
  }

  /** Whether a plan moves tasks to save costs. */
  boolean movesTasks(Move move) {
    int held = request.chains().get(0).held().size();
    return moves && closing(move.allocations()) < Math.min(closing(current.allocations()), held);
  }

  private static int closing(Map<String, Allocation> allocations) {
    return Optional.ofNullable(allocations.get(Workload.CLOSING)).orElseThrow().instances();
  }
}
