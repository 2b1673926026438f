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
 * Where a run has left its plan, and what it knows of how it is getting on.
 *
 * @param changed by group: the allocations that have replaced those of the plan
 * @param moving chains whose trials are being moved to another allocation
 * @param pace how fast trials turn out to be
 * @param asked questions to the planner so far; the last one's number
 * @param open whether that one has not been answered yet
 * @param doubt why the next should be asked; empty if nothing speaks for it
 * @param basis what the last one was asked with
 * @param atRisk whether the deadline has been said to be at risk, and still is
 * @param lost whether, by the last answer, the deadline cannot be kept any more
 * @param market what has been learned of offers
 * @param allowance what the user has allowed beyond the budget
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
   * What a question was asked with, so that the same is not asked again.
   *
   * @param pace the factor that it counted with
   * @param completionS seconds from the beginning until the run's forecast end
   * @param usd the run's forecast cost
   * @param groups groups started by then
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

  /** Something has happened that the plan did not reckon with. */
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

  /** Another controller goes on: nobody answers any more. */
  Steering resumed() {
    Optional<String> again = open ? Optional.of("asked for before") : doubt;
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
