package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
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
 */
public record Steering(
    SortedMap<String, Allocation> changed,
    Set<Integer> moving,
    Pace pace,
    int asked,
    boolean open,
    Optional<String> doubt,
    Basis basis,
    boolean atRisk,
    boolean lost,
    Market market,
    Allowance allowance) {
  /**
   * The forecast with which a request was made, so that the same request is not repeated.
   *
   * @param pace the ratio of measured to profiled time
   * @param completionS seconds from the start of the run to its forecast end
   * @param usd forecast cost of the run in USD
   * @param groups number of groups started by then
   */
  public record Basis(double pace, double completionS, double usd, int groups) {}

  static final Steering NONE =
      new Steering(
          new TreeMap<>(),
          Set.of(),
          Pace.UNKNOWN,
          0,
          false,
          Optional.empty(),
          new Basis(1, 0, 0, 0),
          false,
          false,
          Market.AS_PLANNED,
          Allowance.NONE);

  public Steering {
    changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    moving = Collections.unmodifiableSet(new TreeSet<>(moving));
  }

  Steering withPace(Pace other) {
    return new Steering(
        changed, moving, other, asked, open, doubt, basis, atRisk, lost, market, allowance);
  }

  /** Returns the state after an unplanned event. */
  Steering doubting(String why) {
    Optional<String> first = doubt.or(() -> Optional.of(why));
    return new Steering(
        changed, moving, pace, asked, open, first, basis, atRisk, lost, market, allowance);
  }

  Steering asking(Basis with) {
    return new Steering(
        changed,
        moving,
        pace,
        asked + 1,
        true,
        Optional.empty(),
        with,
        atRisk,
        lost,
        market,
        allowance);
  }

  Steering answered(boolean isLost) {
    return new Steering(
        changed, moving, pace, asked, false, doubt, basis, atRisk, isLost, market, allowance);
  }

  Steering withRisk(boolean other) {
    return new Steering(
        changed, moving, pace, asked, open, doubt, basis, other, lost, market, allowance);
  }

  Steering with(Map<String, Allocation> others, Set<Integer> alsoMoving) {
    SortedMap<String, Allocation> all = new TreeMap<>(changed);
    all.putAll(others);
    Set<Integer> chains = new TreeSet<>(moving);
    chains.addAll(alsoMoving);
    return new Steering(
        all, chains, pace, asked, open, doubt, basis, atRisk, lost, market, allowance);
  }

  Steering moved(int chain) {
    Set<Integer> others = new TreeSet<>(moving);
    others.remove(chain);
    return new Steering(
        changed, others, pace, asked, open, doubt, basis, atRisk, lost, market, allowance);
  }

  Steering with(Market other) {
    return new Steering(
        changed, moving, pace, asked, open, doubt, basis, atRisk, lost, other, allowance);
  }

  Steering with(Allowance other) {
    return new Steering(
        changed, moving, pace, asked, open, doubt, basis, atRisk, lost, market, other);
  }

  /** Another controller continues: no response to earlier requests will arrive. */
  Steering resumed() {
    Optional<String> again = open ? Optional.of("requested before the restart") : doubt;
    return new Steering(
        changed,
        moving,
        pace,
        asked,
        false,
        again,
        basis,
        atRisk,
        lost,
        market.asDefined(),
        allowance.resumed());
  }
}
