package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HermesState;
import io.elastune.core.policy.Width;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidProgress;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialPace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Forecasts the rest of a search on a fixed cluster that a policy divides among the trials. The
 * group in progress lasts as long as its longest trial, and as its work on all GPUs, at the widths
 * that the trials have now. Later groups are those of the prediction, as slow as the trials so far.
 * The rest of a search made of rungs is played.
 */
final class PolicyForecaster implements Forecaster {
  private static final int CHAIN = 0;

  /** Under a policy, a trial reports after each unit. */
  private static final int REPORT_UNITS = 1;

  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final ChainState chain;
  private final List<TrialGroup> groups;

  PolicyForecaster(ForecastBasis basis) {
    this.basis = basis;
    definition = basis.definition();
    state = basis.state();
    chain = state.chains().get(CHAIN);
    groups = definition.workload().chains().get(CHAIN).groups();
  }

  @Override
  public RestForecast forecast() {
    if (chain.group() >= groups.size()) {
      return RestForecast.NONE;
    }
    Optional<RungRule> rungs = definition.workload().rungs();
    double seconds;
    if (definition.hyperSched().isPresent()) {
      seconds = hyperSchedS(definition.hyperSched().get(), rungs.orElseThrow());
    } else if (rungs.isPresent()) {
      seconds = rungsS(rungs.get());
    } else {
      seconds = presentS() + laterS();
    }
    return new RestForecast(seconds, usd(seconds));
  }

  /** Seconds until no trial is left that may train, or until the deadline. */
  private double hyperSchedS(HyperSchedDefinition policy, RungRule rule) {
    double leftS = Math.max(0, definition.deadlineS().orElse(0) - state.elapsedS());
    Offer offer = definition.offer(state.allocation(definition, groups.get(0)).offer());
    return new HyperSchedForecast(state, rule, policy, leftS)
        .seconds(chain.hyperSched(), offer.gpus(), allReadyS(offer));
  }

  private double[] allReadyS(Offer offer) {
    int requested = state.allocation(definition, groups.get(0)).instances();
    return new SharedInstances(basis, offer).readyS(requested);
  }

  /** Seconds until a search made of rungs ends under Fluid. */
  private double rungsS(RungRule rule) {
    RungState rungs = chain.rungs().orElseGet(() -> new RungSearch(rule).initial());
    if (rungs.isFinished()) {
      return 0;
    }
    Offer offer = definition.offer(state.allocation(definition, groups.get(0)).offer());
    double stopS = definition.searchStopS().orElse(Double.POSITIVE_INFINITY);
    double leftS = Math.max(0, stopS - state.elapsedS());
    return new FluidRungForecast(state, rule, definition.fluid().orElseThrow(), leftS, this::pace)
        .seconds(rungs, offer.gpus(), allReadyS(offer));
  }

  /** Seconds until the group in progress ends, or the first one if none has begun. */
  private double presentS() {
    TrialGroup group = groups.get(chain.group());
    if (chain.started().size() <= chain.group()) {
      return predictedS(group) * pace();
    }
    double readyS = readyS();
    return readyS
        + definition
            .fluid()
            .map(fluid -> fluidS(fluid, group))
            .or(() -> definition.hermes().map(hermes -> hermesS(hermes, group)))
            .orElse(0.0);
  }

  private double laterS() {
    double seconds = 0;
    for (TrialGroup group : groups.subList(chain.group() + 1, groups.size())) {
      seconds += predictedS(group) * pace();
    }
    return seconds;
  }

  private double predictedS(TrialGroup group) {
    RunDefinition.Forecast forecast = definition.forecasts().get(group.name());
    return forecast == null ? 0 : forecast.seconds();
  }

  /** Seconds until the first instance is ready. */
  private double readyS() {
    Offer offer = definition.offer(state.allocation(definition, groups.get(0)).offer());
    return state.leases().values().stream()
        .filter(LeaseState::held)
        .mapToDouble(lease -> Math.max(0, basis.readyS(lease)))
        .min()
        .orElseGet(() -> basis.newReadyS(CHAIN, offer));
  }

  private double fluidS(FluidDefinition fluid, TrialGroup group) {
    Width narrow = Width.of(fluid.rule().sizes().first());
    double longestS = 0;
    double gpuSeconds = 0;
    for (AttemptState attempt : state.attempts().values()) {
      double unitS = fluid.perUnit(attempt.width()) * pace(attempt.trial());
      double leftS = basis.leftS(attempt, fluid.startupS(), unitS, REPORT_UNITS);
      longestS = Math.max(longestS, leftS);
      gpuSeconds += leftS * attempt.width().value();
    }
    for (int trial : chain.waiting()) {
      double unitS = fluid.perUnit(narrow) * pace(trial);
      gpuSeconds += (fluid.startupS() + basis.unitsLeft(group, trial) * unitS) * narrow.value();
    }
    return Math.max(longestS, gpuSeconds / gpus());
  }

  private double hermesS(HermesDefinition hermes, TrialGroup group) {
    Map<HermesState.Gpu, Double> placed = new HashMap<>();
    double workS = 0;
    for (AttemptState attempt : state.attempts().values()) {
      double leftS = basis.leftS(attempt, hermes.startupS(), hermes.unitS(), REPORT_UNITS);
      gpu(attempt.trial()).ifPresent(gpu -> placed.merge(gpu, leftS, Double::sum));
      workS += leftS;
    }
    for (int trial : chain.waiting()) {
      double leftS = hermes.startupS() + basis.unitsLeft(group, trial) * hermes.unitS();
      gpu(trial).ifPresent(gpu -> placed.merge(gpu, leftS, Double::sum));
      workS += leftS;
    }
    double longestS = placed.values().stream().mapToDouble(seconds -> seconds).max().orElse(0);
    return Math.max(longestS, workS / gpus());
  }

  private Optional<HermesState.Gpu> gpu(int trial) {
    return chain.hermes().flatMap(hermes -> Optional.ofNullable(hermes.gpus().get(trial)));
  }

  /** The GPUs of the instances that are held, or of the plan. */
  private int gpus() {
    Allocation allocation = state.allocation(definition, groups.get(0));
    long held = state.leases().values().stream().filter(LeaseState::held).count();
    long instances = held > 0 ? held : allocation.instances();
    return Math.toIntExact(instances * definition.offer(allocation.offer()).gpus());
  }

  private double pace(int trial) {
    FluidDefinition fluid = definition.fluid().orElseThrow();
    return chain
        .fluid()
        .map(progress -> progress.ratio(fluid, trial))
        .orElseGet(() -> fluid.factor(trial));
  }

  /** The mean pace of the trials of the group in progress; 1 if nothing is known. */
  private double pace() {
    return chain
        .fluid()
        .map(FluidProgress::paces)
        .map(paces -> paces.values().stream().mapToDouble(TrialPace::ratio).average().orElse(1))
        .orElse(1.0);
  }

  private double usd(double seconds) {
    if (state.leases().values().stream().anyMatch(LeaseState::held)) {
      return basis.heldUsd(CHAIN, seconds);
    }
    return basis.allocationUsd(state.allocation(definition, groups.get(0)), seconds);
  }
}
