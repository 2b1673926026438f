package io.elastune.executor.decision;

import static java.util.Objects.requireNonNull;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.ChainStateBuilder;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.MeasuredTime;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.MeasurementRule;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Decides how long a profiling run measures its trials, and how many of them. */
final class MeasurementTrials {
  private MeasurementTrials() {}

  /** Returns the units up to which the next attempt of a trial is trained. */
  static int nextUnit(Transition transition, TrialState trial, TrialGroup group) {
    return next(transition, trial, group).orElse(group.toUnit());
  }

  /** Whether a trial that reached the end of its attempt is measured further. */
  static boolean isContinued(Transition transition, TrialState trial) {
    return transition
        .group(trial.chain())
        .flatMap(group -> next(transition, trial, group).stream().boxed().findFirst())
        .isPresent();
  }

  private static OptionalInt next(Transition transition, TrialState trial, TrialGroup group) {
    return transition
        .definition
        .measurement()
        .map(rule -> rule.nextUnit(trial.measured(), trial.unit(), group.toUnit()))
        .orElseGet(OptionalInt::empty);
  }

  /** Whether the chain of a profiling run waits for the choice of its next group. */
  static boolean isChoosing(Transition transition, int chain) {
    ChainState state = transition.chain(chain);
    return isChosen(transition)
        && state.group() > 0
        && state.group() < transition.chainDefinition(chain).groups().size()
        && state.started().size() == state.group();
  }

  /** Whether a profiling run chooses its measurements one after another. */
  private static boolean isChosen(Transition transition) {
    return transition.definition.measurement().filter(MeasurementRule::chosen).isPresent();
  }

  /** Whether the choice of the next group would have no successful trial to start from. */
  static boolean haveAllFailed(Transition transition) {
    return isChosen(transition)
        && transition.trials().values().stream()
            .allMatch(trial -> trial.status() == TrialState.Status.FAILED);
  }

  /** Requests the choice of the next group. */
  static void choose(Transition transition, int chain) {
    transition.command(
        new Command.ChooseMeasurement(
            transition.chain(chain).group(),
            Ledger.of(transition.definition, transition.snapshot()).spentUsd(),
            Math.max(0, transition.elapsedS())));
  }

  static void record(Transition transition, MeasurementChoice choice) {
    if (choice.error().isPresent()) {
      Map<String, Double> numbers = new TreeMap<>();
      numbers.put("error", choice.error().getAsDouble());
      choice.leftS().ifPresent(seconds -> numbers.put("left_s", seconds));
      transition.recordDecision(
          DecisionKind.MEASURE, DecisionReason.of(ReasonCode.FURTHER_CONFIGURATIONS), numbers);
      return;
    }
    transition.recordDecision(
        DecisionKind.MEASURE,
        choice
            .next()
            .map(MeasurementTrials::reason)
            .orElseGet(
                () ->
                    DecisionReason.of(
                        choice.equals(MeasurementChoice.NONE)
                            ? ReasonCode.MEASUREMENT_LIMIT_REACHED
                            : ReasonCode.PLAN_DECIDED)),
        Map.of(
            choice.inSeconds() ? "gain_s" : "gain_usd",
            choice.gain(),
            choice.inSeconds() ? "cost_s" : "cost_usd",
            choice.cost(),
            "gain_share",
            choice.gainShare()));
  }

  private static DecisionReason reason(Allocation next) {
    return next.trialsPerGpu() > 1
        ? DecisionReason.of(ReasonCode.SHARING_CHOSEN, Integer.toString(next.trialsPerGpu()))
        : DecisionReason.of(ReasonCode.MEASUREMENT_CHOSEN, Integer.toString(next.gpusPerTrial()));
  }

  /** Returns the number of new trials of a group: a chosen allocation may have fewer slots. */
  static int count(Transition transition, TrialGroup group) {
    if (!isChosen(transition)) {
      return group.trials();
    }
    Allocation allocation = transition.allocation(group);
    if (allocation.trialsPerGpu() > 1) { // every GPU has as many trials as the plan would have
      return allocation.instances() * gpus(transition, allocation) * allocation.trialsPerGpu();
    }
    return Math.min(group.trials(), slots(transition, group));
  }

  /** Returns the number of trials that can run at the same time without sharing GPUs. */
  private static int slots(Transition transition, TrialGroup group) {
    Allocation allocation = transition.allocation(group);
    int gpus = allocation.instances() * gpus(transition, allocation);
    return Math.max(1, gpus / allocation.gpusPerTrial());
  }

  private static int gpus(Transition transition, Allocation allocation) {
    return requireNonNull(transition.definition.offers().get(allocation.offer())).gpus();
  }

  /** Records a report of {@code unit} at {@code at}, if the run measures its trials. */
  static void reported(Transition transition, AttemptState before, int unit, Instant at) {
    boolean between = before.hasReported() && unit < before.to();
    if (between && !before.wasSuspended() && transition.definition.measurement().isPresent()) {
      measured(
          transition,
          before,
          transition
              .trial(before.trial())
              .measured()
              .afterReport(unit - before.lastUnit(), Seconds.between(before.reportedAt(), at)));
    }
  }

  /** Records an attempt that reached its end, if the run measures its trials. */
  static void reached(Transition transition, AttemptState attempt) {
    int units = attempt.endUnit() - attempt.from();
    if (units > 0 && !attempt.wasSuspended() && transition.definition.measurement().isPresent()) {
      measured(
          transition,
          attempt,
          transition
              .trial(attempt.trial())
              .measured()
              .afterAttempt(units, Seconds.between(attempt.startedAt(), attempt.reportedAt())));
    }
  }

  private static void measured(
      Transition transition, AttemptState attempt, MeasuredTime measuredTime) {
    transition.trial(attempt.trial(), trial -> trial.withMeasured(measuredTime));
  }

  /**
   * Adds trials, with other configurations, to a group of which none waits or runs: one if all have
   * failed, up to a limit, or as many as can run at the same time if they took little time. Returns
   * whether it did.
   */
  static boolean addsTrials(Transition transition, int chain, TrialGroup group) {
    return transition
        .definition
        .measurement()
        .filter(rule -> isAnotherNeeded(transition, rule, transition.chain(chain), group))
        .map(rule -> addTrials(transition, chain, group))
        .orElse(false);
  }

  private static boolean isAnotherNeeded(
      Transition transition, MeasurementRule rule, ChainState chain, TrialGroup group) {
    long failed = failed(transition, chain);
    if (failed == chain.members().size()) {
      return failed < group.trials() + rule.spareConfigurations();
    }
    if (transition.allocation(group).trialsPerGpu() > 1) {
      return false; // it would have a GPU for itself
    }
    if (haveAllDiverged(transition)) {
      return transition.trials().size() < rule.spareConfigurations();
    }
    return chain.members().size() - failed < rule.configurations()
        && chain.members().size() < rule.configurations() + rule.spareConfigurations()
        && Seconds.between(trainingBegan(transition, chain), transition.now) < rule.shortS();
  }

  /** Whether no trial has a value of the metric, and some reported it as no finite number. */
  private static boolean haveAllDiverged(Transition transition) {
    String metric = transition.definition.metric().name();
    return transition.trials().values().stream().noneMatch(TrialState::hasValue)
        && transition.trials().values().stream()
            .anyMatch(trial -> trial.reported().contains(metric));
  }

  /** Returns when the group started, or the first instance was ready for it. */
  private static Instant trainingBegan(Transition transition, ChainState chain) {
    Instant started = chain.started().get(chain.group());
    return transition.leases().stream()
        .flatMap(lease -> lease.readyAt().stream())
        .min(Comparator.naturalOrder())
        .filter(ready -> ready.isAfter(started))
        .orElse(started);
  }

  private static long failed(Transition transition, ChainState chain) {
    return chain.members().stream()
        .filter(trial -> transition.trial(trial).status() == TrialState.Status.FAILED)
        .count();
  }

  private static boolean addTrials(Transition transition, int chain, TrialGroup group) {
    ChainState before = transition.chain(chain);
    boolean allFailed = failed(transition, before) == before.members().size();
    int count = allFailed ? 1 : Math.min(group.trials(), slots(transition, group));
    int last = transition.trials().lastKey();
    List<Integer> added = IntStream.rangeClosed(last + 1, last + count).boxed().toList();
    added.forEach(number -> transition.addTrial(TrialState.fresh(number, chain)));
    List<Integer> members = new ArrayList<>(before.members());
    members.addAll(added);
    transition.chain(
        chain, ChainStateBuilder.builder(before).members(members).waiting(added).build());
    return true;
  }
}
