package io.elastune.executor.rehearsal;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.replan.ReplanService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The greedy policy: it stays on spot capacity, waits for it where there is none, and changes to
 * the same instances on demand for the rest of the run once the remaining work would otherwise be
 * late. It knows mean durations only.
 */
final class GreedySpot implements ReplanService {
  /** The remaining time is taken as longer by this factor, because durations vary. */
  private static final double MARGIN = 1.1;

  private final RunDefinition definition;
  private final Offer onDemand;

  GreedySpot(RunDefinition definition, Offer onDemand) {
    this.definition = definition;
    this.onDemand = onDemand;
  }

  @Override
  public ReplanResponse replan(ReplanRequest request) {
    ReplanRequest.ChainProgress chain = request.chains().get(0);
    double deadlineS = request.deadlineS().orElseThrow();
    boolean leaves =
        !chain.allocation().offer().equals(onDemand.name())
            && request.atS() + MARGIN * onDemandS(chain) >= deadlineS;
    Prediction late = new Prediction(2 * deadlineS, 1, DeadlineOutlook.LATE, true);
    Prediction onTime = new Prediction(deadlineS, 1, DeadlineOutlook.ON_TIME, true);
    return new ReplanResponse(
        chain.canGoOn() ? Optional.of(leaves ? late : onTime) : Optional.empty(),
        leaves ? Optional.of(new Move(onTime, onDemand(chain))) : Optional.empty());
  }

  private Map<String, Allocation> onDemand(ReplanRequest.ChainProgress chain) {
    Map<String, Allocation> moved = new TreeMap<>();
    chain.allocations().forEach((group, now) -> moved.put(group, now.withOffer(onDemand.name())));
    return moved;
  }

  private double onDemandS(ReplanRequest.ChainProgress chain) {
    Profile profile = definition.profile(onDemand).orElseThrow();
    List<TrialGroup> left = new ArrayList<>(List.of(chain.underWay()));
    left.addAll(chain.later());
    double seconds = onDemand.queueS().mean() + onDemand.bootS().mean();
    for (TrialGroup group : left) {
      Allocation now = chain.allocations().getOrDefault(group.name(), chain.allocation());
      int slots = now.instances() * onDemand.gpus() / now.gpusPerTrial();
      int waves = (group.trials() + slots - 1) / slots;
      seconds +=
          waves
              * (profile.startupS().mean()
                  + group.units() * profile.secondsPerUnit(now.gpusPerTrial()).orElseThrow());
    }
    return seconds;
  }
}
