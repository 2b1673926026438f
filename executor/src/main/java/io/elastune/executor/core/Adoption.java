package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides whether a run switches to the plan that the planner proposes. It switches to a plan that
 * meets a deadline which the present plan would miss. Otherwise the new plan must be better by more
 * than the error of the two predictions. The prediction includes what the switch costs: boots,
 * minimum billing and restarted trials.
 */
final class Adoption {
  /** A new plan must be better by this fraction of the remaining cost or of the remaining time. */
  private static final double BETTER = 0.05;

  private static final double SAME_S = 1e-3;

  /**
   * The fraction of the spare budget that may be spent on a deadline that is not certain to be met.
   */
  private static final double STAKE = 0.25;

  private final Draft draft;
  private final Steering.Basis basis;

  private Adoption(Draft draft) {
    this.draft = draft;
    this.basis = draft.steering().basis();
  }

  static void take(Draft draft, RunEvent.Replanned event) {
    Steering steering = draft.steering();
    if (!steering.open() || event.number() != steering.asked()) {
      return; // an outdated request
    }
    draft.steering(steering.answered(isLost(event.answer())));
    if (draft.running()) {
      new Adoption(draft).decide(event.answer());
    }
  }

  private static boolean isLost(Answer answer) {
    return answer.stay().filter(stay -> stay.hope() != Answer.Hope.LATE).isEmpty()
        && answer.move().filter(move -> move.prediction().hope() != Answer.Hope.LATE).isEmpty();
  }

  private void decide(Answer answer) {
    int groups = 0;
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      groups += draft.chain(chain).started().size();
    }
    if (groups != basis.groups()) {
      draft.doubt("another group has started");
      return;
    }
    Map<String, Allocation> changes = answer.move().map(this::changes).orElse(Map.of());
    if (answer.stay().isEmpty()) {
      outOfPlace(answer, changes);
      return;
    }
    if (!changes.isEmpty() && isBetter(answer.stay().get(), answer.move().get().prediction())) {
      note(DecisionKind.REPLAN, answer, describe(changes));
      adopt(changes);
    } else {
      String why = changes.isEmpty() ? "still the best" : "no alternative is better by enough";
      note(DecisionKind.STAY, answer, "plan kept: " + why);
    }
    askForMoney(answer);
  }

  /** Asks for a higher budget if neither the present plan nor the new one fits it. */
  private void askForMoney(Answer answer) {
    double stay = answer.stay().map(Answer.Prediction::costUsd).orElse(Double.POSITIVE_INFINITY);
    double move = answer.move().map(it -> it.prediction().costUsd()).orElse(stay);
    if (Double.isFinite(Math.min(stay, move))) {
      MoreMoney.ask(draft, Math.min(stay, move));
    }
  }

  /**
   * Handles a run that cannot continue with its plan: it holds no instance, and none is available.
   */
  private void outOfPlace(Answer answer, Map<String, Allocation> changes) {
    boolean affordable = answer.move().filter(this::isAffordable).isPresent();
    if (affordable && !changes.isEmpty()) {
      note(DecisionKind.REPLAN, answer, "the offer is unavailable: " + describe(changes));
      adopt(changes);
      return;
    }
    askForMoney(answer);
    if (ClusterManager.isStranded(draft) && !draft.steering().allowance().open()) {
      draft.stop(RunOutcome.NO_CAPACITY, nothingToBeHad(), false);
    }
  }

  private String nothingToBeHad() {
    String why =
        Replanning.refused(draft).entrySet().stream()
            .map(entry -> entry.getKey() + " is unavailable: " + entry.getValue())
            .collect(Collectors.joining("; "));
    return why.isEmpty() ? "no available offer can continue this run" : why;
  }

  private boolean isAffordable(Answer.Move move) {
    return move.prediction().inBudget() || !draft.definition.stopsAtBudget();
  }

  private boolean isBetter(Answer.Prediction stay, Answer.Prediction move) {
    double spent = Ledger.of(draft.definition, draft.peek()).spentUsd();
    double saved = stay.costUsd() - move.costUsd();
    boolean cheaper = saved > BETTER * Math.max(0, stay.costUsd() - spent);
    if (!move.inBudget() && draft.definition.stopsAtBudget()) {
      return !stay.inBudget() && cheaper; // gets further before the budget is reached
    }
    if (move.hope() == Answer.Hope.LIKELY && isReckless(stay, move)) {
      return false;
    }
    int hope = move.hope().compareTo(stay.hope());
    if (hope != 0) {
      return hope > 0;
    }
    if (move.inBudget() != stay.inBudget()) {
      return move.inBudget();
    }
    double now = Seconds.between(draft.began(), draft.now);
    boolean sooner =
        stay.completionS() - move.completionS() > BETTER * Math.max(0, stay.completionS() - now);
    boolean forSpeed = move.hope() == Answer.Hope.LIKELY || draft.definition.deadlineS().isEmpty();
    boolean noLater = move.completionS() <= stay.completionS() + SAME_S;
    // A missed deadline justifies no additional cost, and a saving no additional delay.
    return forSpeed ? sooner : cheaper && (move.hope() != Answer.Hope.LATE || noLater);
  }

  /** Whether an uncertain gain would take more than its share of the spare budget. */
  private boolean isReckless(Answer.Prediction stay, Answer.Prediction move) {
    double spare = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    return move.costUsd() - stay.costUsd() > STAKE * Math.max(0, spare - stay.costUsd());
  }

  /** The allocations that the new plan changes. */
  private Map<String, Allocation> changes(Answer.Move move) {
    Map<String, Allocation> changes = new TreeMap<>();
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      List<TrialGroup> groups = draft.groupsOf(chain).groups();
      for (int i = draft.chain(chain).group(); i < groups.size(); i++) {
        TrialGroup group = groups.get(i);
        Allocation now = draft.allocation(group);
        Allocation then = move.allocations().getOrDefault(group.name(), now);
        if (!then.equals(now)) {
          changes.put(group.name(), then);
        }
      }
    }
    return changes;
  }

  private String describe(Map<String, Allocation> changes) {
    return changes.entrySet().stream()
        .map(
            entry ->
                "group " + entry.getKey() + " on " + text(entry.getValue()) + was(entry.getKey()))
        .collect(Collectors.joining(", "));
  }

  private String was(String name) {
    return draft.definition.workload().groups().stream()
        .filter(group -> group.name().equals(name))
        .map(group -> " instead of " + text(draft.allocation(group)))
        .findFirst()
        .orElse("");
  }

  private static String text(Allocation allocation) {
    String size =
        allocation.trialsPerGpu() > 1
            ? allocation.trialsPerGpu() + " trials/GPU"
            : allocation.gpusPerTrial() + " GPU/trial";
    return allocation.instances() + " x " + allocation.offer() + " (" + size + ")";
  }

  private void note(DecisionKind kind, Answer answer, String what) {
    Map<String, Double> numbers = new LinkedHashMap<>(Replanning.numbers(draft, basis));
    answer.stay().ifPresent(stay -> put(numbers, "stay", stay));
    answer.move().ifPresent(move -> put(numbers, "move", move.prediction()));
    Optional<Answer.Prediction> then =
        kind == DecisionKind.STAY ? answer.stay() : answer.move().map(Answer.Move::prediction);
    draft.note(kind, what + then.map(this::outlook).orElse(""), numbers);
  }

  private static void put(Map<String, Double> numbers, String who, Answer.Prediction prediction) {
    numbers.put(who + "_s", prediction.completionS());
    numbers.put(who + "_usd", prediction.costUsd());
  }

  private String outlook(Answer.Prediction then) {
    String end =
        "; completes within %s, for $%.2f"
            .formatted(Durations.format(then.completionS()), then.costUsd());
    String late =
        switch (then.hope()) {
          case LATE -> ": the deadline can no longer be met";
          case LIKELY -> ": the deadline will probably be met";
          case ON_TIME -> "";
        };
    return end + late + (then.inBudget() ? "" : "; the budget is not sufficient");
  }

  private void adopt(Map<String, Allocation> changes) {
    Set<Integer> moving = new LinkedHashSet<>();
    Set<Integer> uprooted = new LinkedHashSet<>();
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      Optional<TrialGroup> group = draft.group(chain);
      Optional<Allocation> then = group.flatMap(g -> Optional.ofNullable(changes.get(g.name())));
      if (then.isPresent()) {
        moving.add(chain);
        if (!isSameShape(draft.allocation(group.orElseThrow()), then.get())) {
          uprooted.add(chain);
        }
      }
    }
    draft.steering(draft.steering().with(changes, moving));
    for (int chain : uprooted) {
      draft.chain(chain, draft.chain(chain).withTeams(List.of()));
      Moves.uproot(draft, chain, attempt -> true);
    }
  }

  private static boolean isSameShape(Allocation one, Allocation other) {
    return one.withInstances(1).equals(other.withInstances(1));
  }
}
