package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.BudgetGrant;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.provisioner.RefusalReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides whether a run switches to the plan that the planner proposes, by {@link PlanComparison},
 * and switches.
 */
final class ReplanPolicy {
  private final Transition transition;
  private final ReplanState.Basis basis;

  private ReplanPolicy(Transition transition) {
    this.transition = transition;
    this.basis = transition.steering().basis();
  }

  static void applyAnswer(Transition transition, RunEvent.Replanned event) {
    ReplanState replanState = transition.steering();
    if (!replanState.open() || event.number() != replanState.asked()) {
      return; // an outdated request
    }
    transition.steering(replanState.answered(isLost(event.answer())));
    if (transition.running()) {
      new ReplanPolicy(transition).decide(event.answer());
    }
  }

  private static boolean isLost(ReplanResponse replanResponse) {
    return replanResponse
            .stay()
            .filter(stay -> stay.hope() != ReplanResponse.DeadlineOutlook.LATE)
            .isEmpty()
        && replanResponse
            .move()
            .filter(move -> move.prediction().hope() != ReplanResponse.DeadlineOutlook.LATE)
            .isEmpty();
  }

  private void decide(ReplanResponse replanResponse) {
    int groups = 0;
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      groups += transition.chain(chain).started().size();
    }
    if (groups != basis.groups()) {
      transition.doubt(ReplanReason.of(ReplanReason.Cause.GROUP_STARTED));
      return;
    }
    Map<String, Allocation> changes =
        replanResponse.move().map(move -> PlanChange.of(transition, move)).orElse(Map.of());
    if (replanResponse.stay().isEmpty()) {
      outOfPlace(replanResponse, changes);
      return;
    }
    double stayS = replanResponse.stay().get().completionS();
    predicted(stayS);
    ReasonCode code = PlanChange.reason(transition, changes);
    boolean movesTasks = RungPool.movesTasks(transition, changes);
    boolean better =
        !changes.isEmpty()
            && new PlanComparison(transition, replanResponse.stay().get(), movesTasks)
                .isBetter(replanResponse.move().get().prediction(), code, isApproved(changes));
    if (better && movesTasks && !RungMoves.isPossible(transition, changes)) {
      if (transition.attempts().size() != basis.attempts()) { // it was when the planner was asked
        transition.doubt(ReplanReason.of(ReplanReason.Cause.MOVABLE));
        return;
      }
      better = false;
    }
    boolean premature =
        better && SpotReturn.isPremature(transition, code, changes, replanResponse.stay().get());
    if (better && !premature) {
      note(DecisionKind.REPLAN, replanResponse, code, PlanChange.describe(transition, changes));
      SpotReturn.record(transition, code, replanResponse.move().get().prediction());
      if (code != ReasonCode.SPOT_LEFT && costsMore(replanResponse)) {
        transition.steering(transition.steering().rescued());
      }
      ReplanState steering = transition.steering();
      double endS = replanResponse.move().orElseThrow().prediction().completionS();
      transition.steering(steering.with(steering.delay().withPlan(endS)));
      adopt(changes);
    } else {
      note(DecisionKind.STAY, replanResponse, keeping(changes, premature), List.of());
    }
    askForMoney(replanResponse);
  }

  /** Compares the predicted end of the present plan with the one predicted before. */
  private void predicted(double endS) {
    ReplanState steering = transition.steering();
    transition.steering(
        steering.with(steering.delay().predicted(endS, transition.elapsedS(), basis.pace())));
  }

  private static boolean costsMore(ReplanResponse replanResponse) {
    return replanResponse.move().orElseThrow().prediction().costUsd()
        > replanResponse.stay().orElseThrow().costUsd();
  }

  private static ReasonCode keeping(Map<String, Allocation> changes, boolean premature) {
    if (changes.isEmpty()) {
      return ReasonCode.PLAN_STILL_BEST;
    }
    return premature
        ? ReasonCode.SPOT_RETURN_WITHOUT_EVIDENCE
        : ReasonCode.ALTERNATIVES_NOT_BETTER_ENOUGH;
  }

  /** Asks for a higher budget if neither the present plan nor the new one fits it. */
  private void askForMoney(ReplanResponse replanResponse) {
    double stay =
        replanResponse
            .stay()
            .map(ReplanResponse.Prediction::costUsd)
            .orElse(Double.POSITIVE_INFINITY);
    double move = replanResponse.move().map(it -> it.prediction().costUsd()).orElse(stay);
    if (Double.isFinite(Math.min(stay, move))) {
      BudgetIncrease.requestIfNeeded(transition, Math.min(stay, move));
    }
  }

  /**
   * Handles a run that cannot continue with its plan: it holds no instance, and none is available.
   */
  private void outOfPlace(ReplanResponse replanResponse, Map<String, Allocation> changes) {
    boolean affordable = replanResponse.move().filter(this::isAffordable).isPresent();
    if (affordable && !changes.isEmpty()) {
      note(
          DecisionKind.REPLAN,
          replanResponse,
          ReasonCode.OFFER_REPLACED,
          PlanChange.describe(transition, changes));
      adopt(changes);
      return;
    }
    if (transition.steering().doubt().isPresent()) {
      return; // more has happened since the request, such as further refusals: it is repeated
    }
    askForMoney(replanResponse);
    if (!ClusterManager.isStranded(transition)) {
      return;
    }
    BudgetGrant budgetGrant = transition.steering().allowance();
    if (budgetGrant.open()) {
      transition.steering(transition.steering().with(budgetGrant.awaited()));
    } else {
      handleRefusals();
    }
  }

  private void handleRefusals() {
    List<String> refused = new ArrayList<>();
    boolean temporary = false;
    for (var entry : ReplanTrigger.refused(transition).entrySet()) {
      refused.add(entry.getKey());
      refused.add(entry.getValue().why());
      temporary |= entry.getValue().reason() == RefusalReason.CAPACITY;
    }
    CapacityRetry.handleRefusals(transition, temporary, refused);
  }

  private boolean isAffordable(ReplanResponse.Move move) {
    return move.prediction().inBudget() || !transition.definition.stopsAtBudget();
  }

  /** Whether a change returns to the plan that was approved before the start. */
  private boolean isApproved(Map<String, Allocation> changes) {
    return changes.entrySet().stream()
        .allMatch(
            change ->
                change
                    .getValue()
                    .equals(transition.definition.plan().allocations().get(change.getKey())));
  }

  private void note(
      DecisionKind kind, ReplanResponse replanResponse, ReasonCode code, List<String> changes) {
    Map<String, Double> numbers = new LinkedHashMap<>(ReplanTrigger.numbers(transition, basis));
    numbers.putAll(PlanChange.losses(transition, offersInUse()));
    replanResponse.stay().ifPresent(stay -> put(numbers, "stay", stay));
    replanResponse.move().ifPresent(move -> put(numbers, "move", move.prediction()));
    ReplanResponse.Prediction then =
        kind == DecisionKind.STAY
            ? replanResponse.stay().orElseThrow()
            : replanResponse.move().orElseThrow().prediction();
    List<String> details = new ArrayList<>();
    details.add(then.hope().name());
    details.add(Boolean.toString(then.inBudget()));
    details.addAll(changes);
    transition.recordDecision(kind, new DecisionReason(code, details), numbers);
  }

  /** The offers of the groups in progress. */
  private Set<String> offersInUse() {
    Set<String> offers = new TreeSet<>();
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      transition.group(chain).ifPresent(g -> offers.add(transition.allocation(g).offer()));
    }
    return offers;
  }

  private static void put(
      Map<String, Double> numbers, String who, ReplanResponse.Prediction prediction) {
    numbers.put(who + "_s", prediction.completionS());
    numbers.put(who + "_usd", prediction.costUsd());
  }

  private void adopt(Map<String, Allocation> changes) {
    if (RungPool.handles(transition)) {
      adoptForRungs(changes);
      return;
    }
    Set<Integer> moving = new LinkedHashSet<>();
    Set<Integer> uprooted = new LinkedHashSet<>();
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      Optional<TrialGroup> group = transition.group(chain);
      Optional<Allocation> then = group.flatMap(g -> Optional.ofNullable(changes.get(g.name())));
      if (then.isPresent()) {
        if (moving.isEmpty() || !SharedPool.handles(transition)) {
          moving.add(chain); // one chain requests the instances of a pool
        }
        transition.chain(chain, transition.chain(chain).withReplaced(0));
        if (!isSameShape(transition.allocation(group.orElseThrow()), then.get())) {
          uprooted.add(chain);
        }
      }
    }
    transition.steering(transition.steering().with(changes, moving));
    for (int chain : uprooted) {
      transition.chain(chain, transition.chain(chain).withTeams(List.of()));
      TrialMigration.uproot(transition, chain, attempt -> true);
    }
  }

  /** Trials that run keep their GPUs, except if the plan moves the last ones. */
  private void adoptForRungs(Map<String, Allocation> changes) {
    int chain = RungChain.INDEX;
    boolean movesTasks = RungPool.movesTasks(transition, changes);
    boolean isPresent =
        transition.group(chain).filter(group -> changes.containsKey(group.name())).isPresent();
    if (isPresent) {
      transition.chain(chain, transition.chain(chain).withReplaced(0));
    }
    transition.steering(transition.steering().with(changes, movesTasks ? Set.of(chain) : Set.of()));
    if (movesTasks) {
      Set<String> left = RungPool.surplus(transition);
      Predicate<AttemptState> moves = attempt -> left.stream().anyMatch(attempt::uses);
      if (transition.attempts().stream().anyMatch(moves)) {
        TrialMigration.uproot(transition, moves);
      } else { // idle instances are released
        transition.steering(transition.steering().withoutMoving(chain));
      }
    } else if (isPresent) {
      ClusterManager.requestForRemaining(transition, chain);
    }
  }

  private static boolean isSameShape(Allocation one, Allocation other) {
    return one.single().equals(other.single());
  }
}
