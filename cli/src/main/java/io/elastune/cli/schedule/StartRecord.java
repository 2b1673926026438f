package io.elastune.cli.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * One line in the log of a schedule. A start writes {@link State#STARTED} first, and replaces its
 * meaning by a second line with the same time when the run has ended.
 *
 * @param at when the timer fired
 * @param exit the exit code of the run, or 0
 * @param text why it was skipped, or empty
 * @param job the name of the job at that time
 * @param runs the run and its profiling runs, with their cost at that time
 */
record StartRecord(Instant at, State state, int exit, String text, String job, List<RunCost> runs) {
  /** What a line reports. */
  enum State {
    /** A run was started, and its end is not reported yet. */
    STARTED,
    /** The run has ended. */
    ENDED,
    /** The process that started the run was killed before the run ended. */
    KILLED,
    /** No run was started. */
    SKIPPED,
    /** The user has stated the cost of a run. */
    COST
  }

  /** The cost of a run in USD; empty if it is unknown. */
  record RunCost(String run, OptionalDouble usd) {}

  StartRecord {
    runs = List.copyOf(runs);
  }

  static StartRecord started(Instant at, String job) {
    return new StartRecord(at, State.STARTED, 0, "", job, List.of());
  }

  static StartRecord skipped(Instant at, String job, int exit, String why) {
    return new StartRecord(at, State.SKIPPED, exit, why, job, List.of());
  }

  static StartRecord cost(Instant at, String run, double usd) {
    RunCost cost = new RunCost(run, OptionalDouble.of(usd));
    return new StartRecord(at, State.COST, 0, "", "", List.of(cost));
  }

  StartRecord ended(int exitCode, List<RunCost> costs) {
    return new StartRecord(at, State.ENDED, exitCode, "", job, costs);
  }

  StartRecord killed(List<RunCost> costs) {
    return new StartRecord(at, State.KILLED, 0, "", job, costs);
  }

  StartRecord inProgress(List<RunCost> costs) {
    return new StartRecord(at, State.STARTED, 0, "", job, costs);
  }

  /** Returns whether a run was started. */
  boolean hasRun() {
    return state != State.SKIPPED && state != State.COST;
  }

  /** Returns whether it started this run. */
  boolean started(String run) {
    return hasRun() && runs.stream().anyMatch(cost -> cost.run().equals(run));
  }

  /** Returns the cost of all runs; empty if one of them is unknown. */
  OptionalDouble usd() {
    return runs.stream().allMatch(cost -> cost.usd().isPresent())
        ? OptionalDouble.of(runs.stream().mapToDouble(cost -> cost.usd().getAsDouble()).sum())
        : OptionalDouble.empty();
  }

  /** Returns the names of the runs. */
  List<String> names() {
    return runs.stream().map(RunCost::run).toList();
  }

  static StartRecord of(JsonNode node) {
    return new StartRecord(
        Instant.parse(node.path("at").asString()),
        State.valueOf(node.path("state").asString().toUpperCase(Locale.ROOT)),
        node.path("exit").asInt(0),
        node.path("text").asString(""),
        node.path("job").asString(""),
        node.path("runs")
            .valueStream()
            .map(JsonNode::asString)
            .map(run -> new RunCost(run, number(node.path("usd_by_run").path(run))))
            .toList());
  }

  private static OptionalDouble number(JsonNode node) {
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }
}
