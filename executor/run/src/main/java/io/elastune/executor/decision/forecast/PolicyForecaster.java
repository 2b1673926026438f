package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HermesState;
import io.elastune.core.policy.Width;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidProgress;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialPace;
import io.elastune.executor.decision.model.TrialState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Forecasts the rest of a search on a fixed cluster that a policy divides among the trials. The
 * group in progress lasts as long as its longest trial, and as its work on all GPUs, at the widths
 * that the trials have now. Later groups are those of the prediction, as slow as the trials so far.
 * HyperSched lasts until its deadline.
 */
final class PolicyForecaster {
  private static final int CHAIN = 0;
  private static final double SECONDS_PER_HOUR = 3600;

  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final ChainState chain;
  private final List<TrialGroup> groups;

  PolicyForecaster(RunDefinition definition, RunState state, ForecastBasis basis) {
    this.definition = definition;
    this.state = state;
    this.basis = basis;
    chain = state.chains().get(CHAIN);
    groups = definition.workload().chains().get(CHAIN).groups();
  }

  RestForecast forecast() {
    if (chain.group() >= groups.size()) {
      return new RestForecast(0, 0);
    }
    double seconds = definition.hyperSched().isPresent() ? untilDeadlineS() : presentS() + laterS();
    return new RestForecast(seconds, usd(seconds));
  }

  private double untilDeadlineS() {
    double deadlineS = definition.deadlineS().orElse(0);
    double passedS = state.began().map(began -> Seconds.between(began, state.now())).orElse(0.0);
    return Math.max(0, deadlineS - passedS);
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
        .orElseGet(() -> basis.retryInS(CHAIN) + offer.queueS().mean() + offer.bootS().mean());
  }

  private double fluidS(FluidDefinition fluid, TrialGroup group) {
    Width narrow = Width.of(fluid.rule().sizes().first());
    double longestS = 0;
    double gpuSeconds = 0;
    for (AttemptState attempt : state.attempts().values()) {
      double unitS = fluid.perUnit(attempt.width()) * pace(attempt.trial());
      double leftS = leftS(attempt, unitS, fluid.startupS());
      longestS = Math.max(longestS, leftS);
      gpuSeconds += leftS * attempt.width().value();
    }
    for (int trial : chain.waiting()) {
      double unitS = fluid.perUnit(narrow) * pace(trial);
      gpuSeconds += (fluid.startupS() + waitingUnits(group, trial) * unitS) * narrow.value();
    }
    return Math.max(longestS, gpuSeconds / gpus());
  }

  private double hermesS(HermesDefinition hermes, TrialGroup group) {
    Map<HermesState.Gpu, Double> placed = new HashMap<>();
    double workS = 0;
    for (AttemptState attempt : state.attempts().values()) {
      double leftS = leftS(attempt, hermes.unitS(), hermes.startupS());
      gpu(attempt.trial()).ifPresent(gpu -> placed.merge(gpu, leftS, Double::sum));
      workS += leftS;
    }
    for (int trial : chain.waiting()) {
      double leftS = hermes.startupS() + waitingUnits(group, trial) * hermes.unitS();
      gpu(trial).ifPresent(gpu -> placed.merge(gpu, leftS, Double::sum));
      workS += leftS;
    }
    double longestS = placed.values().stream().mapToDouble(seconds -> seconds).max().orElse(0);
    return Math.max(longestS, workS / gpus());
  }

  private Optional<HermesState.Gpu> gpu(int trial) {
    return chain.hermes().flatMap(hermes -> Optional.ofNullable(hermes.gpus().get(trial)));
  }

  private double leftS(AttemptState attempt, double unitS, double startupS) {
    if (attempt.done()) {
      return 0;
    }
    double silenceS = Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
    double firstS = attempt.lastUnit() == attempt.from() ? startupS : 0;
    int units = attempt.to() - attempt.lastUnit();
    return Math.max((units - 1) * unitS, firstS + units * unitS - silenceS);
  }

  private int waitingUnits(TrialGroup group, int trial) {
    TrialState known = state.trials().get(trial);
    return group.toUnit() - group.resumeUnit(known == null ? 0 : known.checkpoint());
  }

  /** The GPUs of the instances that are held, or of the plan. */
  private int gpus() {
    Allocation allocation = state.allocation(definition, groups.get(0));
    long held = state.leases().values().stream().filter(LeaseState::held).count();
    long instances = held > 0 ? held : allocation.instances();
    return Math.toIntExact(instances * definition.offer(allocation.offer()).gpus());
  }

  private double pace(int trial) {
    return chain.fluid().map(fluid -> fluid.pace(trial)).orElse(TrialPace.UNKNOWN).ratio();
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
    Allocation allocation = state.allocation(definition, groups.get(0));
    double each = state.usdPerHour(definition, allocation.offer());
    return allocation.instances() * each * seconds / SECONDS_PER_HOUR;
  }
}
