package io.elastune.executor.rehearsal;

import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import io.elastune.executor.world.Book;

/** Whether the world's book contradicts a run's exit code. */
final class ExitCheck {
  /** A run may not call the budget reached before this part of it is billed. */
  private static final double REACHED = 0.5;

  /** Seconds by which two clocks that agree may differ. */
  private static final double ROUNDING_S = 1e-3;

  /** Takes down what is broken. */
  interface Finding {
    void broke(Broken.Promise promise, int count, String what);
  }

  private final RunDefinition definition;
  private final Book book;
  private final Finding finding;

  ExitCheck(RunDefinition definition, Book book, Finding finding) {
    this.definition = definition;
    this.book = book;
    this.finding = finding;
  }

  void check(RunState state, double completedS) {
    if (state.phase() != RunState.Phase.FINISHED) {
      wrong("the run never ended; it was " + state.phase());
      return;
    }
    int exit = state.ending().exitCode();
    switch (exit) {
      case 0, 13 -> whole(exit, completedS);
      case 11 -> {
        double budget = definition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
        check(
            book.billUsd() >= REACHED * budget,
            "stopped at the budget of " + budget + " with " + book.billUsd() + " USD billed");
      }
      case 14 -> check(book.refusals() + book.broken() > 0, "no capacity, but nothing was refused");
      case 16 -> check(book.failures() > definition.maxFailures(), "no success, but few failures");
      case 20 -> check(book.alive() > 0, "clean-up not confirmed, but nothing is left");
      default -> wrong("ended with " + exit);
    }
    if (exit != 20) {
      check(book.alive() == 0, "ended with " + exit + " while " + book.alive() + " were alive");
    }
  }

  private void whole(int exit, double completedS) {
    check(!Double.isNaN(completedS), "ended with " + exit + " before the last group had ended");
    double deadlineS = definition.deadlineS().orElse(Double.POSITIVE_INFINITY);
    if (exit == 0) {
      check(completedS <= deadlineS + ROUNDING_S, "ended with 0 after the deadline");
    } else {
      check(completedS >= deadlineS - ROUNDING_S, "deadline missed, by the clock it was not");
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
