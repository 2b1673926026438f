package io.elastune.executor.decision;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.ChainForecaster;
import io.elastune.executor.decision.forecast.ForecastBasis;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.forecast.PresentGroups;
import io.elastune.executor.decision.forecast.PresentTasks;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.MeasuredSpeed;
import io.elastune.executor.decision.model.OfferAvailability;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.SpeedRatio;
import io.elastune.executor.decision.model.TrialDuration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks the forecast: reports when the deadline is at risk, and requests a new plan for the rest
 * of the run after that, after a change in the speed of the trials, or after an unplanned event.
 * {@link ReplanPolicy} handles the response.
 */
final class ReplanTrigger {
  /** The least change of the speed ratio since the last request that causes another request. */
  static final double PACE = 0.1;

  /** The least increase of a forecast, as a fraction of the limit, that causes another request. */
  static final double WORSE_FRACTION = 0.05;

  /** The part of the slack at the last request below which another one is made. */
  private static final double SLACK = 0.75;

  /** The least decrease of the slack, as a fraction of the deadline, that causes one. */
  private static final double SLACK_FRACTION = 0.01;

  /** Seconds for which an offer counts as unavailable after a refusal. */
  private static final double REFUSED_S = 600;

  private ReplanTrigger() {}

  /** Whether the run may get a new plan. */
  static boolean isEnabled(Transition transition) {
    return transition.definition.planning().isPresent()
        && (!RungPool.handles(transition) || transition.definition.rungChanges().isPresent())
        && !transition.holdsInstances();
  }

  /**
   * Updates the measured speed after a report. The first report of an attempt covers its start-up,
   * and does not show the time of a unit.
   */
  static void updateSpeed(Transition transition, AttemptState before, int unit, Instant at) {
    TrialGroup group =
        transition.chainDefinition(before.chain()).groups().stream()
            .filter(one -> one.name().equals(before.group()))
            .findFirst()
            .orElse(null);
    boolean own = before.ending() == AttemptState.EndReason.NOT && !before.wasSuspended();
    if (group == null || !own || transition.definition.planning().isEmpty()) {
      return; // the start of the units is unknown, e.g. of an adopted attempt
    }
    Allocation allocation =
        RungPool.handles(transition)
            ? new Allocation( // a new plan does not change attempts that run
                transition.allocation(group).offer(), 1, before.places().size(), 1)
            : transition.allocation(group);
    Offer offer = transition.definition.offer(allocation.offer());
    TrialDuration trialDuration =
        transition
            .definition
            .profile(offer)
            .map(profile -> TrialDuration.of(group, offer, profile, allocation))
            .orElseThrow();
    boolean first = !before.hasReported();
    boolean prompt = transition.isPrompt(at);
    if (first && !prompt) {
      return; // the start is by the controller's clock, which may differ
    }
    int done = before.lastUnit() - before.from();
    int more = unit - before.lastUnit();
    double took = Seconds.between(before.reportedAt(), at);
    ReplanState replanState = transition.steering();
    MeasuredSpeed speed = replanState.pace();
    boolean waited =
        TrialReports.wasWaiting(
            transition,
            before,
            took,
            more * trialDuration.unitS() * speed.factor(),
            trialDuration.startupS());
    transition.steering(
        replanState.withPace(
            first && !waited
                ? speed.afterFirstReport(trialDuration, more, took)
                : speed.afterLaterReport(trialDuration, done, more, took)));
  }

  /** Checks the forecast if anything has changed that it depends on. */
  static void checkForecast(Transition transition, boolean passing) {
    RunDefinition definition = transition.definition;
    boolean watches =
        definition.deadlineS().isPresent()
            && !definition.endsAtDeadline()
            && (definition.planning().isPresent() || definition.dividesInstances());
    if (!(watches || isEnabled(transition)) || !transition.running()) {
      return;
    }
    boolean paced = isPaced(transition.steering());
    boolean doubted = transition.steering().doubt().isPresent() && !transition.steering().open();
    if (!transition.moved() && !passing && !paced && !doubted) {
      return;
    }
    RunState state = transition.snapshot();
    if (LeaseLosses.isBurst(state)) {
      return; // one forecast and one plan answer all losses
    }
    Ledger ledger = Ledger.of(transition.definition, state);
    double elapsed = transition.elapsedS();
    int groups = state.chains().stream().mapToInt(chain -> chain.started().size()).sum();
    ReplanState.Basis basis =
        new ReplanState.Basis(
            transition.steering().pace().factor(),
            elapsed + ledger.remainingSeconds(),
            ledger.forecastUsd(),
            groups,
            transition.attempts().size());
    if (watches) {
      watchDeadline(transition, basis);
    }
    if (transition.steering().open() || !isEnabled(transition) || groups == 0) {
      return;
    }
    reason(transition, basis, paced)
        .ifPresent(reason -> ask(transition, reason, basis, state, ledger));
  }

  private static boolean isPaced(ReplanState replanState) {
    return Math.abs(replanState.pace().factor() / replanState.basis().pace() - 1) > PACE;
  }

  /**
   * Reports once when the forecast misses the deadline, and again after it met the deadline in
   * between.
   */
  private static void watchDeadline(Transition transition, ReplanState.Basis basis) {
    double deadline = transition.definition.deadlineOrInfinityS();
    double late = basis.completionS() - deadline;
    if (late > 0 && !transition.steering().atRisk()) {
      transition.steering(transition.steering().withRisk(true));
      transition.recordDecision(
          DecisionKind.AT_RISK,
          DecisionReason.of(ReasonCode.FORECAST_LATE),
          numbers(transition, basis));
    } else if (late < -WORSE_FRACTION * deadline && transition.steering().atRisk()) {
      transition.steering(transition.steering().withRisk(false));
      transition.recordDecision(
          DecisionKind.ON_TIME,
          DecisionReason.of(ReasonCode.FORECAST_ON_TIME_AGAIN),
          numbers(transition, basis));
    }
  }

  static Map<String, Double> numbers(Transition transition, ReplanState.Basis basis) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("forecast_s", basis.completionS());
    transition.definition.deadlineS().ifPresent(deadline -> numbers.put("deadline_s", deadline));
    numbers.put("forecast_usd", basis.usd());
    transition.budgetLeftUsd().ifPresent(budget -> numbers.put("budget_usd", budget));
    numbers.put("pace", basis.pace());
    return numbers;
  }

  private static Optional<ReplanReason> reason(
      Transition transition, ReplanState.Basis now, boolean paced) {
    ReplanState.Basis before = transition.steering().basis();
    if (transition.steering().doubt().isPresent()) {
      return transition.steering().doubt();
    }
    if (paced) {
      notePace(transition, now);
      return Optional.of(ReplanReason.of(ReplanReason.Cause.PACE));
    }
    boolean another = now.groups() > before.groups();
    double deadline = transition.definition.deadlineOrInfinityS();
    boolean worse = now.completionS() > before.completionS() + WORSE_FRACTION * deadline;
    if (now.completionS() > deadline && (another || (worse && !transition.steering().lost()))) {
      return Optional.of(ReplanReason.of(ReplanReason.Cause.DEADLINE));
    }
    if (isSlackShorter(transition, before, now, deadline)) {
      return Optional.of(ReplanReason.of(ReplanReason.Cause.SLACK));
    }
    if (now.attempts() != before.attempts() && RungMoves.pays(transition, now.completionS())) {
      return Optional.of(ReplanReason.of(ReplanReason.Cause.MOVABLE));
    }
    double budget = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    // Far beyond a budget, each event may change the cost by more than a fraction of the budget.
    double changesFrom =
        transition.definition.requestsAfterChanges() ? Math.max(budget, before.usd()) : budget;
    return now.usd() > budget
            && (another || now.usd() > before.usd() + WORSE_FRACTION * changesFrom)
        ? Optional.of(ReplanReason.of(ReplanReason.Cause.BUDGET))
        : Optional.empty();
  }

  /**
   * Whether a run on capacity that is often preempted has lost much of its slack since the last
   * request. It then may have to leave that capacity, although its forecast still meets the
   * deadline: the forecast has no future faults.
   */
  private static boolean isSlackShorter(
      Transition transition, ReplanState.Basis before, ReplanState.Basis now, double deadlineS) {
    boolean isLess =
        !transition.definition.requestsAfterChanges()
            || (deadlineS > before.completionS()
                && now.completionS() > before.completionS() + SLACK_FRACTION * deadlineS);
    return transition.steering().asked() > 0
        && Double.isFinite(deadlineS)
        && isLess
        && deadlineS - now.completionS() < SLACK * (deadlineS - before.completionS())
        && transition.snapshot().offers(transition.definition).stream()
            .map(transition.definition::offer)
            .anyMatch(offer -> offer.market() == Market.SPOT);
  }

  private static void notePace(Transition transition, ReplanState.Basis basis) {
    SpeedRatio speedRatio = transition.steering().pace().units();
    Map<String, Double> numbers = numbers(transition, basis);
    numbers.put("reports", (double) transition.steering().pace().evidence());
    numbers.put("startup_shift_s", transition.steering().pace().startupShiftS());
    numbers.put("standard_error", speedRatio.standardError());
    numbers.put("predicted_s", speedRatio.predictedS());
    numbers.put("observed_s", speedRatio.observedS());
    transition.recordDecision(
        DecisionKind.PACE, DecisionReason.of(ReasonCode.TRIAL_SPEED_CHANGED), numbers);
  }

  private static void ask(
      Transition transition,
      ReplanReason reason,
      ReplanState.Basis basis,
      RunState state,
      Ledger ledger) {
    ReplanRequest replanRequest = question(transition, basis.pace(), state, ledger);
    if (!replanRequest.chains().isEmpty()) {
      transition.steering(transition.steering().awaitingResponse(basis));
      transition.command(new Command.Replan(transition.steering().asked(), reason, replanRequest));
    }
  }

  private static ReplanRequest question(
      Transition transition, double pace, RunState state, Ledger ledger) {
    List<ReplanRequest.ChainProgress> chainProgresses = new ArrayList<>();
    double settled = 0;
    ForecastBasis forecastBasis = new ForecastBasis(transition.definition, state);
    for (LeaseState lease : transition.leases()) {
      boolean kept = isKept(transition, lease);
      settled +=
          kept ? transition.definition.offer(lease.offer()).dataInUsd() : ledger.leaseUsd(lease);
    }
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      if (transition.group(chain).isPresent()) {
        double endS =
            transition.elapsedS()
                + (RungPool.handles(transition)
                    ? ledger.remainingSeconds()
                    : new ChainForecaster(forecastBasis).groupLeftS(chain));
        chainProgresses.add(
            chain(transition, chain, transition.group(chain).get(), forecastBasis, endS));
      }
    }
    return new ReplanRequest(
        transition.elapsedS(),
        settled,
        pace,
        transition.steering().pace().startupShiftS(),
        transition.definition.deadlineS(),
        transition.budgetLeftUsd(),
        chainProgresses,
        List.copyOf(refused(transition).keySet()),
        transition.steering().market().prices(),
        LeaseLosses.byOffer(state),
        RungPool.handles(transition)
            ? Optional.of(new PresentTasks(forecastBasis).progress())
            : Optional.empty());
  }

  /** Returns the recent refusals by offer. */
  static SortedMap<String, OfferAvailability.RefusedOffer> refused(Transition transition) {
    SortedMap<String, OfferAvailability.RefusedOffer> refused = new TreeMap<>();
    transition
        .steering()
        .market()
        .refused()
        .forEach(
            (offer, refusal) -> {
              if (Seconds.between(refusal.at(), transition.now) < REFUSED_S) {
                refused.put(offer, refusal);
              }
            });
    return refused;
  }

  /** Whether the group in progress of its chain uses it. */
  private static boolean isKept(Transition transition, LeaseState lease) {
    return lease.held()
        && SharedPool.groupOf(transition, lease.pool())
            .filter(group -> transition.allocation(group).offer().equals(lease.offer()))
            .isPresent();
  }

  private static ReplanRequest.ChainProgress chain(
      Transition transition,
      int chain,
      TrialGroup group,
      ForecastBasis forecastBasis,
      double endS) {
    List<TrialGroup> groups = transition.chainDefinition(chain).groups();
    List<TrialGroup> later =
        groups.subList(transition.chain(chain).group() + 1, groups.size()).stream()
            .flatMap(one -> toTrain(transition, chain, one).stream())
            .toList();
    Allocation allocation = transition.allocation(group);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    // The sizes of the phase open, which has ended, limit those of the phase closing.
    int first = RungPool.handles(transition) ? 0 : transition.chain(chain).group();
    groups
        .subList(first, groups.size())
        .forEach(one -> allocations.put(one.name(), transition.allocation(one)));
    double nowS = transition.elapsedS();
    List<RentedInstance> held =
        transition.held(chain, allocation.offer()).stream()
            .map(lease -> instance(transition, lease, forecastBasis, nowS))
            .toList();
    return new ReplanRequest.ChainProgress(
        transition.chainDefinition(chain).name(),
        RungPool.handles(transition) ? group : left(transition, chain, group),
        endS,
        transition.hasAttempts(chain),
        held.size() >= PlacementController.teamSize(transition, allocation)
            || isTraining(transition, chain),
        later,
        allocations,
        held,
        SharedPool.handles(transition) && transition.definition.requestsAfterChanges()
            ? new PresentGroups(forecastBasis).of(chain, group)
            : Optional.empty(),
        transition.definition.keepAlive()
                && !SharedPool.handles(transition)
                && !RungPool.handles(transition)
            ? new ChainForecaster(forecastBasis).trained(chain)
            : Optional.empty());
  }

  /** Whether a trial of the chain trains on instances that are held: those on lost ones do not. */
  private static boolean isTraining(Transition transition, int chain) {
    return transition.attemptsOf(chain).stream()
        .anyMatch(
            attempt ->
                attempt.places().stream()
                    .allMatch(
                        place ->
                            transition.lease(place.lease()).filter(LeaseState::held).isPresent()));
  }

  /** A later group with the trials that will be trained; empty if there are none. */
  private static Optional<TrialGroup> toTrain(Transition transition, int chain, TrialGroup group) {
    if (RungPool.handles(transition)) {
      return Optional.of(group);
    }
    int trials = transition.chain(chain).trialsToTrain(group, transition.trials());
    return trials == 0
        ? Optional.empty()
        : Optional.of(group.with(trials, group.fromUnit(), group.toUnit()));
  }

  private static RentedInstance instance(
      Transition transition, LeaseState lease, ForecastBasis forecastBasis, double nowS) {
    double running = forecastBasis.runningS(lease);
    double ready = forecastBasis.readyS(lease);
    return new RentedInstance(
        lease.offer(),
        Math.max(0, nowS + (lease.runningAt().isPresent() ? running : Math.max(0, running))),
        Math.max(0, nowS + (lease.isReady() ? ready : Math.max(0, ready))),
        lease.use().usedS(transition.now));
  }

  /** The rest of the group in progress: its remaining trials, and the mean units that they lack. */
  private static TrialGroup left(Transition transition, int chain, TrialGroup group) {
    int trials = 0;
    int units = 0;
    for (AttemptState attempt : transition.attemptsOf(chain)) {
      if (!attempt.done()) {
        trials++;
        // Another allocation restarts a trial that cannot resume.
        int trained = group.fromScratch() ? 0 : attempt.lastUnit();
        units += Math.max(1, attempt.to() - trained);
      }
    }
    for (int trial : transition.chain(chain).waiting()) {
      trials++;
      units += group.toUnit() - group.resumeUnit(transition.trial(trial).checkpoint());
    }
    int each = trials == 0 ? 1 : (units + trials - 1) / trials;
    return new TrialGroup(
        group.name(),
        Math.max(1, trials),
        group.toUnit() - each,
        group.toUnit(),
        false,
        group.saves());
  }
}
