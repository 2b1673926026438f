package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.List;
import java.util.Optional;

/**
 * Forecasts the rest of a search on a fixed cluster that a policy divides among the trials: plays
 * it, and bills all instances to its end.
 */
final class PolicyForecaster implements Forecaster {
  private static final int CHAIN = 0;

  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final ChainState chain;
  private final List<TrialGroup> groups;

  /** That of all groups. */
  private final Allocation allocation;

  private final Offer offer;

  PolicyForecaster(ForecastBasis basis) {
    this.basis = basis;
    definition = basis.definition();
    state = basis.state();
    chain = state.chains().get(CHAIN);
    groups = definition.workload().chains().get(CHAIN).groups();
    allocation = state.allocation(definition, groups.get(0));
    offer = definition.offer(allocation.offer());
  }

  /** Returns the forecast of a rest that takes so many seconds, unless the search has ended. */
  RestForecast lasting(double seconds) {
    return hasEnded() ? RestForecast.NONE : new RestForecast(seconds, usd(seconds));
  }

  private boolean hasEnded() {
    return chain.group() >= groups.size()
        || chain.rungs().filter(RungState::isFinished).isPresent();
  }

  @Override
  public RestForecast forecast() {
    if (hasEnded()) {
      return RestForecast.NONE;
    }
    Optional<RungRule> rungs = definition.workload().rungs();
    double seconds;
    if (definition.hyperSched().isPresent()) {
      seconds = hyperSchedS(definition.hyperSched().get(), rungs.orElseThrow());
    } else if (rungs.isPresent()) {
      seconds = rungsS(rungs.get());
    } else {
      seconds = new PolicyGroupsForecast(basis).seconds(offer, readyS());
    }
    return new RestForecast(seconds, usd(seconds));
  }

  /** Seconds until no trial is left that may train, or until the deadline. */
  private double hyperSchedS(HyperSchedDefinition policy, RungRule rule) {
    double leftS = Math.max(0, definition.deadlineS().orElse(0) - state.elapsedS());
    return new HyperSchedForecast(basis, rule, policy, leftS)
        .seconds(chain.hyperSched(), offer, readyS());
  }

  private double[] readyS() {
    return new SharedInstances(basis, offer).readyS(allocation.instances());
  }

  /** Seconds until a search made of rungs ends under Fluid. */
  private double rungsS(RungRule rule) {
    RungState rungs = chain.rungs().orElseGet(() -> new RungSearch(rule).initial());
    double stopS = definition.searchStopS().orElse(Double.POSITIVE_INFINITY);
    double leftS = Math.max(0, stopS - state.elapsedS());
    FluidPaces paces = new FluidPaces(definition.fluid().orElseThrow(), chain.fluid());
    return new FluidRungForecast(basis, rule, paces, leftS).seconds(rungs, offer, readyS());
  }

  private double usd(double seconds) {
    if (state.leases().values().stream().anyMatch(LeaseState::held)) {
      return basis.heldUsd(CHAIN, seconds);
    }
    return basis.allocationUsd(allocation, seconds);
  }
}
