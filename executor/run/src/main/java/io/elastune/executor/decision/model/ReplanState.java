package io.elastune.executor.decision.model;

import io.elastune.core.plan.Allocation;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The re-planning state of a run: the changes to its plan, and the inputs for further changes.
 *
 * @param changed by group: the allocations that have replaced those of the plan
 * @param moving chains whose trials are moving to another allocation
 * @param pace the measured speed of the trials
 * @param asked number of requests to the planner so far, which is also the number of the last one
 * @param open whether the last request is unanswered
 * @param doubt the reason for another request; empty if there is none
 * @param basis the forecast with which the last request was made
 * @param atRisk whether the deadline was reported as at risk and still is
 * @param lost whether the deadline can no longer be met, by the last response
 * @param market availability and prices of offers
 * @param allowance increases of the budget by the user
 * @param rescues plans adopted so far that cost more than the plan before them, except those that
 *     leave spot capacity
 * @param departure the figures with which the run left spot capacity, unless it has returned
 */
public record ReplanState(
    SortedMap<String, Allocation> changed,
    Set<Integer> moving,
    MeasuredSpeed pace,
    int asked,
    boolean open,
    Optional<ReplanReason> doubt,
    Basis basis,
    boolean atRisk,
    boolean lost,
    OfferAvailability market,
    BudgetGrant allowance,
    int rescues,
    Optional<SpotDeparture> departure) {
  /**
   * The forecast with which a request was made, so that the same request is not repeated.
   *
   * @param pace the ratio of measured to profiled time
   * @param completionS seconds from the start of the run to its forecast end
   * @param usd forecast cost of the run in USD
   * @param groups number of groups started by then
   */
  public record Basis(double pace, double completionS, double usd, int groups) {}

  static final ReplanState NONE =
      new ReplanState(
          new TreeMap<>(),
          Set.of(),
          MeasuredSpeed.NO_REPORTS,
          0,
          false,
          Optional.empty(),
          new Basis(1, 0, 0, 0),
          false,
          false,
          OfferAvailability.AS_PLANNED,
          BudgetGrant.NONE,
          0,
          Optional.empty());

  public ReplanState {
    changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    moving = Collections.unmodifiableSet(new TreeSet<>(moving));
  }

  private ReplanState with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.build();
  }

  public ReplanState withPace(MeasuredSpeed other) {
    return with(copy -> copy.pace = other);
  }

  /** Returns the state after an unplanned event. */
  public ReplanState requestingReplan(ReplanReason why) {
    Optional<ReplanReason> first = doubt.or(() -> Optional.of(why));
    return with(copy -> copy.doubt = first);
  }

  public ReplanState awaitingResponse(Basis with) {
    return with(
        copy -> {
          copy.asked = asked + 1;
          copy.open = true;
          copy.doubt = Optional.empty();
          copy.basis = with;
        });
  }

  public ReplanState answered(boolean isLost) {
    return with(
        copy -> {
          copy.open = false;
          copy.lost = isLost;
        });
  }

  public ReplanState withRisk(boolean other) {
    return with(copy -> copy.atRisk = other);
  }

  public ReplanState with(Map<String, Allocation> others, Set<Integer> alsoMoving) {
    SortedMap<String, Allocation> all = new TreeMap<>(changed);
    all.putAll(others);
    Set<Integer> chains = new TreeSet<>(moving);
    chains.addAll(alsoMoving);
    return with(
        copy -> {
          copy.changed = all;
          copy.moving = chains;
        });
  }

  /** Returns the state after a plan was adopted that costs more than the one before it. */
  public ReplanState rescued() {
    return with(copy -> copy.rescues = rescues + 1);
  }

  public ReplanState withoutMoving(int chain) {
    Set<Integer> others = new TreeSet<>(moving);
    others.remove(chain);
    return with(copy -> copy.moving = others);
  }

  public ReplanState with(OfferAvailability other) {
    return with(copy -> copy.market = other);
  }

  /** Returns the state with the figures of a departure from spot capacity. */
  public ReplanState with(Optional<SpotDeparture> other) {
    return with(copy -> copy.departure = other);
  }

  public ReplanState with(BudgetGrant other) {
    return with(copy -> copy.allowance = other);
  }

  /**
   * Another controller continues: no response to earlier requests will arrive.
   *
   * @param guarded whether the run has a spending guard, which keeps its last value
   */
  public ReplanState resumed(boolean guarded) {
    Optional<ReplanReason> again =
        open ? Optional.of(ReplanReason.of(ReplanReason.Cause.RESUMED)) : doubt;
    return with(
        copy -> {
          copy.open = false;
          copy.doubt = again;
          copy.market = market.withoutPrices();
          copy.allowance = allowance.resumed(guarded);
        });
  }

  /** A mutable copy, to create a re-planning state that differs in some components. */
  private static final class Copy {
    SortedMap<String, Allocation> changed;
    Set<Integer> moving;
    MeasuredSpeed pace;
    int asked;
    boolean open;
    Optional<ReplanReason> doubt;
    Basis basis;
    boolean atRisk;
    boolean lost;
    OfferAvailability market;
    BudgetGrant allowance;
    int rescues;
    Optional<SpotDeparture> departure;

    Copy(ReplanState original) {
      changed = original.changed;
      moving = original.moving;
      pace = original.pace;
      asked = original.asked;
      open = original.open;
      doubt = original.doubt;
      basis = original.basis;
      atRisk = original.atRisk;
      lost = original.lost;
      market = original.market;
      allowance = original.allowance;
      rescues = original.rescues;
      departure = original.departure;
    }

    ReplanState build() {
      return new ReplanState(
          changed, moving, pace, asked, open, doubt, basis, atRisk, lost, market, allowance,
          rescues, departure);
    }
  }
}
