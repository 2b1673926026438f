package io.elastune.executor.decision.model;

import io.elastune.core.plan.Allocation;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

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
 * @param delay by how much the run is later than predicted
 * @param departure the figures with which the run left spot capacity, unless it has returned
 * @param answers the answers about leases of earlier controllers that are pending
 * @param failedNodes the nodes that could not become ready
 * @param launchFailures the launches that failed for unknown reasons
 * @param plateau the best metric so far, and how long it has not improved
 * @param failures the failed attempts of trials by cause
 * @param excess what forecasts with mean durations lack
 */
@RecordBuilder
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
    UnpredictedDelay delay,
    Optional<SpotDeparture> departure,
    ResumeAnswers answers,
    FailedNodes failedNodes,
    LaunchFailures launchFailures,
    SearchPlateau plateau,
    EqualFailures failures,
    ForecastExcess excess) {
  /**
   * The forecast with which a request was made, so that the same request is not repeated.
   *
   * @param pace the ratio of measured to profiled time
   * @param completionS seconds from the start of the run to its forecast end
   * @param usd forecast cost of the run in USD
   * @param groups number of groups started by then
   * @param attempts number of attempts in progress then
   */
  public record Basis(double pace, double completionS, double usd, int groups, int attempts) {}

  static final ReplanState NONE =
      ReplanStateBuilder.builder()
          .changed(new TreeMap<>())
          .moving(Set.of())
          .pace(MeasuredSpeed.NO_REPORTS)
          .basis(new Basis(1, 0, 0, 0, 0))
          .market(OfferAvailability.AS_PLANNED)
          .allowance(BudgetGrant.NONE)
          .delay(UnpredictedDelay.NONE)
          .answers(ResumeAnswers.COMPLETE)
          .failedNodes(FailedNodes.NONE)
          .launchFailures(LaunchFailures.NONE)
          .plateau(SearchPlateau.NONE)
          .failures(EqualFailures.NONE)
          .excess(ForecastExcess.NONE)
          .build();

  public ReplanState {
    changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    moving = Collections.unmodifiableSet(new TreeSet<>(moving));
  }

  public ReplanState withPace(MeasuredSpeed other) {
    return ReplanStateBuilder.builder(this).pace(other).build();
  }

  /** Returns the state after an unplanned event. */
  public ReplanState requestingReplan(ReplanReason why) {
    Optional<ReplanReason> first = doubt.or(() -> Optional.of(why));
    return ReplanStateBuilder.builder(this).doubt(first).build();
  }

  public ReplanState awaitingResponse(Basis with) {
    return ReplanStateBuilder.builder(this)
        .asked(asked + 1)
        .open(true)
        .doubt(Optional.empty())
        .basis(with)
        .build();
  }

  public ReplanState answered(boolean isLost) {
    return ReplanStateBuilder.builder(this).open(false).lost(isLost).build();
  }

  public ReplanState withRisk(boolean other) {
    return ReplanStateBuilder.builder(this).atRisk(other).build();
  }

  public ReplanState with(Map<String, Allocation> others, Set<Integer> alsoMoving) {
    SortedMap<String, Allocation> all = new TreeMap<>(changed);
    all.putAll(others);
    Set<Integer> chains = new TreeSet<>(moving);
    chains.addAll(alsoMoving);
    return ReplanStateBuilder.builder(this)
        .changed(all)
        .moving(chains)
        .excess(ForecastExcess.NONE)
        .build();
  }

  /** Returns the state after a plan was adopted that costs more than the one before it. */
  public ReplanState rescued() {
    return ReplanStateBuilder.builder(this).rescues(rescues + 1).build();
  }

  public ReplanState with(UnpredictedDelay other) {
    return ReplanStateBuilder.builder(this).delay(other).build();
  }

  public ReplanState withoutMoving(int chain) {
    Set<Integer> others = new TreeSet<>(moving);
    others.remove(chain);
    return ReplanStateBuilder.builder(this).moving(others).build();
  }

  public ReplanState with(OfferAvailability other) {
    return ReplanStateBuilder.builder(this).market(other).build();
  }

  /** Returns the state with the figures of a departure from spot capacity. */
  public ReplanState with(Optional<SpotDeparture> other) {
    return ReplanStateBuilder.builder(this).departure(other).build();
  }

  public ReplanState with(ResumeAnswers other) {
    return ReplanStateBuilder.builder(this).answers(other).build();
  }

  public ReplanState with(LaunchFailures other) {
    return ReplanStateBuilder.builder(this).launchFailures(other).build();
  }

  public ReplanState with(SearchPlateau other) {
    return ReplanStateBuilder.builder(this).plateau(other).build();
  }

  public ReplanState with(EqualFailures other) {
    return ReplanStateBuilder.builder(this).failures(other).build();
  }

  public ReplanState with(FailedNodes other) {
    return ReplanStateBuilder.builder(this).failedNodes(other).build();
  }

  public ReplanState with(ForecastExcess other) {
    return ReplanStateBuilder.builder(this).excess(other).build();
  }

  public ReplanState with(BudgetGrant other) {
    return ReplanStateBuilder.builder(this).allowance(other).build();
  }

  /**
   * Another controller continues: no response to earlier requests will arrive, and the user may
   * have corrected what made nodes or trials fail.
   *
   * @param guarded whether the run has a spending guard, which keeps its last value
   */
  public ReplanState resumed(boolean guarded) {
    Optional<ReplanReason> again =
        open ? Optional.of(ReplanReason.of(ReplanReason.Cause.RESUMED)) : doubt;
    return ReplanStateBuilder.builder(this)
        .open(false)
        .doubt(again)
        .market(market.withoutPrices())
        .allowance(allowance.resumed(guarded))
        .failedNodes(FailedNodes.NONE)
        .failures(EqualFailures.NONE)
        .build();
  }
}
