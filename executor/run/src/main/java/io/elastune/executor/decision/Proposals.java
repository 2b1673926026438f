package io.elastune.executor.decision;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.SamplerRule;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Requests the configurations of new trials from the sampler (docs/searches.md, "Samplers"). The
 * answers are events, so that a replay needs no sampler.
 */
final class Proposals {
  /** Requests without a usable answer in a row, after which the sampler is not asked any more. */
  private static final int MAX_FAILURES = 3;

  private Proposals() {}

  /** Requests the configurations of those new trials that have none of their own. */
  static void request(Transition transition, List<Integer> fresh) {
    Optional<SamplerRule> rule = transition.definition.sampler();
    if (rule.isEmpty() || isAbandoned(transition)) {
      return;
    }
    List<Integer> asked = fresh.stream().filter(trial -> trial > rule.get().listed()).toList();
    if (!asked.isEmpty()) {
      send(transition, asked);
    }
  }

  /**
   * Requests the configurations of the trials of a new group: all at once, or later as the trials
   * can start.
   */
  static void requestGroup(Transition transition, List<Integer> fresh) {
    Optional<SamplerRule> rule = transition.definition.sampler();
    if (rule.filter(SamplerRule::oneByOne).isEmpty() || isAbandoned(transition)) {
      request(transition, fresh);
      return;
    }
    fresh.stream()
        .filter(trial -> trial > rule.get().listed())
        .forEach(trial -> transition.trial(trial, state -> state.with(TrialProposal.due())));
  }

  /**
   * Requests configurations for as many waiting trials of a chain as could start now.
   *
   * @param slots the trials of the chain that can run at once
   */
  static void requestDue(Transition transition, int chain, int slots) {
    List<Integer> waiting = transition.chain(chain).waiting();
    List<Integer> due = waiting.stream().filter(trial -> isDue(transition, trial)).toList();
    if (due.isEmpty()) {
      return;
    }
    if (isAbandoned(transition)) {
      due.forEach(trial -> answer(transition, trial, TrialProposal.Status.FAILED, ""));
      return;
    }
    int taken = transition.attemptsOf(chain).size() + waiting.size() - due.size();
    int free = Math.min(slots - taken, due.size());
    if (free > 0) {
      send(transition, due.subList(0, free));
    }
  }

  private static boolean isDue(Transition transition, int trial) {
    return transition.trial(trial).proposal().filter(TrialProposal::isDue).isPresent();
  }

  private static void send(Transition transition, List<Integer> trials) {
    int request = 1 + last(transition);
    trials.forEach(
        trial -> transition.trial(trial, state -> state.with(TrialProposal.requested(request))));
    transition.command(new Command.ConfigureTrials(request, trials));
  }

  private static int last(Transition transition) {
    return transition.trials().values().stream()
        .flatMap(trial -> trial.proposal().stream())
        .mapToInt(TrialProposal::request)
        .max()
        .orElse(0);
  }

  /** Whether the last requests have all failed. */
  private static boolean isAbandoned(Transition transition) {
    Map<Integer, TrialProposal.Status> byRequest = new TreeMap<>();
    transition.trials().values().stream()
        .flatMap(trial -> trial.proposal().stream())
        .filter(proposal -> !proposal.isOpen())
        .forEach(proposal -> byRequest.put(proposal.request(), proposal.status()));
    List<TrialProposal.Status> answers = List.copyOf(byRequest.values());
    return answers.size() >= MAX_FAILURES
        && answers.subList(answers.size() - MAX_FAILURES, answers.size()).stream()
            .allMatch(TrialProposal.Status.FAILED::equals);
  }

  /** Repeats the requests of an earlier controller that were not answered. */
  static void resume(Transition transition) {
    Map<Integer, List<Integer>> open = new TreeMap<>();
    for (TrialState trial : transition.trials().values()) {
      if (!trial.isConfigured()
          && trial.status() == TrialState.Status.WAITING
          && !isDue(transition, trial.trial())) {
        int request = trial.proposal().orElseThrow().request();
        open.computeIfAbsent(request, some -> new ArrayList<>()).add(trial.trial());
      }
    }
    open.values().forEach(trials -> send(transition, trials));
  }

  /** Applies an answer. One to an earlier request, or a repeated one, has no effect. */
  static void applyAnswer(Transition transition, RunEvent.Configured event) {
    List<Integer> trials =
        transition.trials().values().stream()
            .filter(trial -> !trial.isConfigured())
            .filter(trial -> trial.proposal().orElseThrow().request() == event.request())
            .map(TrialState::trial)
            .toList();
    if (trials.isEmpty()) {
      return;
    }
    if (event.error().isEmpty() && event.configs().size() == trials.size()) {
      for (int i = 0; i < trials.size(); i++) {
        answer(transition, trials.get(i), TrialProposal.Status.PROPOSED, event.configs().get(i));
      }
    } else {
      failed(transition, trials, event.error());
    }
  }

  private static void failed(Transition transition, List<Integer> trials, String error) {
    if (transition.definition.sampler().filter(SamplerRule::stopsOnError).isPresent()) {
      transition.stop( // the trials wait for another answer after a resume
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(ReasonCode.STOPPED_WITHOUT_PROPOSAL, error),
          false);
      return;
    }
    trials.forEach(trial -> answer(transition, trial, TrialProposal.Status.FAILED, ""));
    List<String> details = new ArrayList<>(List.of(error));
    trials.forEach(trial -> details.add(Integer.toString(trial)));
    ReasonCode code =
        isAbandoned(transition) ? ReasonCode.SAMPLER_ABANDONED : ReasonCode.SAMPLER_FAILED;
    transition.recordDecision(
        DecisionKind.SAMPLER,
        new DecisionReason(code, details),
        Map.of("trials", (double) trials.size()));
  }

  private static void answer(
      Transition transition, int trial, TrialProposal.Status status, String config) {
    transition.trial(trial, state -> state.with(state.proposal().orElseThrow().as(status, config)));
  }

  /** Returns how many new trials wait for their configurations. */
  static int open(Transition transition) {
    return (int)
        transition.trials().values().stream()
            .filter(trial -> !trial.isConfigured() && trial.status() == TrialState.Status.WAITING)
            .count();
  }
}
