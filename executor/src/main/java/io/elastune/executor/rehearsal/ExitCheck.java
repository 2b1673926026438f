package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Chain;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import io.elastune.executor.world.Book;
import io.elastune.executor.world.Meter;

/** Whether the world's book contradicts a run's exit code. */
final class ExitCheck {
  /** A run may not call the budget reached before this part of it is billed. */
  private static final double REACHED = 0.9;

  /** A run may not give up for losses before so many instances were lost. */
  private static final int MANY = 5;

  private static final double SECONDS_PER_HOUR = 3600;

  /** Takes down what is broken. */
  interface Finding {
    void broke(Broken.Promise promise, int count, String what);
  }

  /** Seconds by which two clocks that agree may differ. */
  private static final double ROUNDING_S = 1e-3;

  private final RunDefinition definition;
  private final Book book;
  private final Finding finding;

  ExitCheck(RunDefinition definition, Book book, Finding finding) {
    this.definition = definition;
    this.book = book;
    this.finding = finding;
  }

  /** {@code clockOffS}: as far as the controller's clock was off, it may misjudge the deadline. */
  void check(RunState state, double completedS, double clockOffS) {
    if (state.phase() != RunState.Phase.FINISHED) {
      wrong("the run never ended; it was " + state.phase());
      return;
    }
    int exit = state.ending().exitCode();
    switch (exit) {
      case 0, 13 -> whole(exit, completedS, ROUNDING_S + clockOffS);
      case 11 -> atBudget(state, clockOffS);
      case 14 ->
          check(
              book.refusals() > 0 || book.broken() >= MANY,
              "no capacity, but nothing was refused, and little was lost");
      case 16 ->
          check(
              book.training().mostFailures() > definition.maxFailures(),
              "no success, but no trial has failed too often");
      case 20 -> check(book.alive() > 0, "clean-up not confirmed, but nothing is left");
      default -> wrong("ended with " + exit);
    }
    if (exit != 20) {
      check(book.alive() == 0, "ended with " + exit + " while " + book.alive() + " were alive");
    }
  }

  /**
   * It may stop before the least that the instances of the next groups would be billed. As far as
   * its clock was off, and while it was away, it must take for used what runs.
   */
  private void atBudget(RunState state, double clockOffS) {
    double budget = definition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    double next =
        definition.workload().chains().stream()
            .mapToDouble(chain -> mostOfOneGroupUsd(chain, state))
            .sum();
    double unseenS = clockOffS + book.downS();
    double unseen = unseenS / SECONDS_PER_HOUR * book.peakUsdPerHour();
    check(
        book.billUsd() + next + unseen >= REACHED * budget,
        "stopped at the budget of " + budget + " with " + book.billUsd() + " USD billed");
  }

  private double mostOfOneGroupUsd(Chain chain, RunState state) {
    return chain.groups().stream()
        .map(group -> state.allocation(definition, group))
        .mapToDouble(a -> a.instances() * Meter.leastUsd(definition.offer(a.offer())))
        .max()
        .orElse(0);
  }

  private void whole(int exit, double completedS, double leeway) {
    check(!Double.isNaN(completedS), "ended with " + exit + " before the last group had ended");
    double deadlineS = definition.deadlineS().orElse(Double.POSITIVE_INFINITY);
    if (exit == 0) {
      check(completedS <= deadlineS + leeway, "ended with 0 after the deadline");
    } else {
      check(completedS >= deadlineS - leeway, "deadline missed, by the clock it was not");
    }
  }

  private void check(boolean so, String otherwise) {
    if (!so) {
      wrong(otherwise);
    }
  }

  private void wrong(String what) {
    finding.broke(Broken.Promise.WRONG_EXIT, 1, what);
  }
}
