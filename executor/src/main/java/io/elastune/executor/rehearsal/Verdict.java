package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.TrialState;
import io.elastune.executor.world.Book;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Judges a run by the world's own book. What counts as broken stands in docs/reliability.md. */
final class Verdict {
  private final RunDefinition definition;
  private final Book book;
  private final List<Broken> broken = new ArrayList<>();
  private final Map<String, Integer> mostOf = new HashMap<>();
  private int tooMany;

  Verdict(RunDefinition definition, Book book) {
    this.definition = definition;
    this.book = book;
    definition
        .workload()
        .groups()
        .forEach(g -> most(g.name(), definition.plan().of(g).instances()));
  }

  /** Looks at the world after something has happened in it. */
  void look(RunState state) {
    if (!state.steering().changed().isEmpty()) {
      for (TrialGroup group : definition.workload().groups()) {
        most(group.name(), state.allocation(definition, group).instances());
      }
    }
    if (book.changed()) {
      tooMany = Math.max(tooMany, book.open() - allowed(state));
    }
  }

  /**
   * Instances that the plan has any use for now: those of the group under way and before it, or of
   * all up to it where the plan holds what it has.
   */
  private int allowed(RunState state) {
    int allowed = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
      int group = state.chains().get(chain).group();
      int most = 0;
      int first = definition.plan().hold() ? 0 : Math.max(0, group - 1);
      for (int i = first; i <= Math.min(group, groups.size() - 1); i++) {
        int now = state.allocation(definition, groups.get(i)).instances();
        most = Math.max(most, most(groups.get(i).name(), now));
      }
      allowed += most;
    }
    return allowed;
  }

  /** A group that is moved may still hold what it had before. */
  private int most(String group, int now) {
    return mostOf.merge(group, now, Math::max);
  }

  /** The run has ended, or nothing happens any more. */
  void ended(RunState state, double completedS, double clockOffS) {
    doubles();
    trials(state);
    budget();
    new ExitCheck(definition, book, this::broke).check(state, completedS, clockOffS);
  }

  private void doubles() {
    int doubled = Math.max(tooMany, book.rentedTwice());
    if (doubled > 0) {
      broke(Broken.Promise.DOUBLE_LEASES, doubled, doubled + " instances beyond those intended");
    }
  }

  private void trials(RunState state) {
    boolean whole = state.phase() == RunState.Phase.FINISHED && isWhole(state.ending().exitCode());
    List<Integer> lost =
        state.trials().values().stream()
            .filter(
                trial -> whole ? !accounted(trial) : trial.status() == TrialState.Status.RUNNING)
            .map(TrialState::trial)
            .toList();
    if (!lost.isEmpty()) {
      broke(Broken.Promise.LOST_TRIALS, lost.size(), "trials not accounted for: " + lost);
    }
    if (!book.training().setBack().isEmpty()) {
      broke(
          Broken.Promise.LOST_TRIALS,
          book.training().setBack().size(),
          "trials that lost more than since their last committed checkpoint: "
              + book.training().setBack());
    }
    if (book.training().extraUnits() > 0) {
      broke(
          Broken.Promise.EXTRA_UNITS,
          book.training().extraUnits(),
          book.training().extraUnits() + " units trained twice");
    }
  }

  /** Whether a run that ends with this code has come to its end. */
  static boolean isWhole(int exitCode) {
    return exitCode == 0 || exitCode == 13;
  }

  /** Whether a trial is where the core says, by the world's book. */
  private boolean accounted(TrialState trial) {
    return switch (trial.status()) {
      case COMPLETED -> book.training().furthest(trial.trial()) >= trial.unit() && isLast(trial);
      case STOPPED -> book.training().furthest(trial.trial()) >= trial.unit();
      case FAILED -> book.training().failedAttempts(trial.trial()) > definition.maxFailures();
      case WAITING, RUNNING -> false;
    };
  }

  private boolean isLast(TrialState trial) {
    Chain chain = definition.workload().chains().get(trial.chain());
    return chain.groups().stream().anyMatch(group -> group.toUnit() == trial.unit());
  }

  private void budget() {
    double budget = definition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    double bill = book.billUpToReleaseUsd();
    if (definition.stopsAtBudget() && bill > budget) {
      broke(Broken.Promise.OVER_BUDGET, 1, "billed " + bill + " of " + budget + " USD");
    }
  }

  /** Another hour has passed. */
  void anHourLater() {
    if (book.alive() > 0) {
      broke(Broken.Promise.LEAKED, book.alive(), book.alive() + " instances an hour after the end");
    }
  }

  List<Broken> broken() {
    return broken;
  }

  private void broke(Broken.Promise promise, int count, String what) {
    broken.add(new Broken(promise, count, what));
  }
}
