package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.schedule.StartRecord.RunCost;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.JournalLoss;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads the cost of the runs of a job from their journals. */
final class RunCosts {
  /** A controller writes the contents of its journal in one step, before its first request. */
  private static final Reading NOT_STARTED =
      new Reading(Optional.empty(), 0, OptionalDouble.of(0), true);

  private final CliEnvironment cliEnvironment;
  private final RunFinder runFinder;

  RunCosts(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.runFinder = new RunFinder(cliEnvironment);
  }

  /**
   * The contents of a journal, without the cost of profiling, which has its own journal.
   *
   * @param began when the run began; empty before that
   * @param leastUsd the lowest possible cost in USD
   * @param usd the cost, or an upper bound of it; empty if it is unknown
   * @param exact whether {@code usd} is the cost
   */
  record Reading(Optional<Instant> began, double leastUsd, OptionalDouble usd, boolean exact) {}

  /** Returns the names of the runs of a job, profiling runs included. */
  List<String> runsOf(String job) {
    return runFinder.all().stream()
        .filter(folder -> folder.job().equals(job))
        .map(RunFolder::run)
        .toList();
  }

  /** Returns the cost of runs at this moment. */
  List<RunCost> of(List<String> runs) {
    return runs.stream()
        .map(run -> new RunCost(run, read(run).map(Reading::usd).orElse(OptionalDouble.empty())))
        .toList();
  }

  /**
   * Returns the runs of a job that began in a period, with their cost. A run whose journal cannot
   * be read is one of them if its controller started then.
   */
  List<RunCost> began(String job, Instant from, Instant to) {
    List<RunCost> costs = new ArrayList<>();
    for (String run : runsOf(job)) {
      read(run)
          .filter(
              reading ->
                  reading.began().filter(at -> !at.isBefore(from) && at.isBefore(to)).isPresent())
          .ifPresent(reading -> costs.add(new RunCost(run, reading.usd())));
    }
    return costs;
  }

  /** Reads the journal of a run; empty if it was removed. */
  Optional<Reading> read(String run) {
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    if (!folder.exists()) {
      return Optional.empty();
    }
    boolean alive = ControllerLock.isHeld(folder); // first, since the run may end meanwhile
    try {
      return Optional.of(
          RunReader.isBlank(folder) ? NOT_STARTED : reading(RunRecord.read(folder), alive));
    } catch (JournalException | IllegalArgumentException | IndexOutOfBoundsException e) {
      Reading unreadable =
          new Reading(Optional.of(RunFinder.startedAt(folder)), 0, OptionalDouble.empty(), false);
      return Optional.of(alive ? NOT_STARTED : unreadable); // it is being created
    }
  }

  /**
   * Without their controller, instances cost more than the journal contains. Such a run counts with
   * its budget until it is resumed.
   */
  private static Reading reading(RunRecord record, boolean alive) {
    double spent = record.progress().spentUsd();
    Optional<Instant> began = record.progress().began();
    boolean exact =
        alive
            || record.finished()
            || (record.openLeases() == 0 && JournalLoss.read(record.folder()).isEmpty());
    if (exact) {
      return new Reading(began, spent, OptionalDouble.of(spent), true);
    }
    OptionalDouble budget = record.meta().budgetUsd();
    OptionalDouble bound =
        budget.isPresent()
            ? OptionalDouble.of(Math.max(spent, budget.getAsDouble()))
            : OptionalDouble.empty();
    return new Reading(began, spent, bound, false);
  }
}
