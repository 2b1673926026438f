package io.elastune.cli.runs;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How a run stands at a moment.
 *
 * @param groups the groups under way, comma separated; empty for none
 * @param trials how many trials stand how
 * @param instances those held and not confirmed to be gone; of a crashed run those that the cloud
 *     itself lists
 * @param counted whether {@code instances} is the cloud's own number
 * @param spentUsd dollars so far, with profiling
 * @param forecastUsd dollars in the end, with profiling
 * @param deadlineMarginS seconds to spare; negative when late
 * @param exit the exit code, once finished
 * @param record what the journal says; empty before there is one
 */
public record RunStatus(
    String run,
    Standing standing,
    String groups,
    Trials trials,
    int instances,
    boolean counted,
    double spentUsd,
    double forecastUsd,
    OptionalDouble deadlineMarginS,
    OptionalInt exit,
    Optional<RunRecord> record) {

  /** How many trials stand how; those that have not come up yet are waiting. */
  public record Trials(long running, long waiting, long completed, long stopped, long failed) {
    static final Trials NONE = new Trials(0, 0, 0, 0, 0);

    static Trials of(RunRecord run) {
      long running = FinishedDocument.count(run, "running");
      long completed = FinishedDocument.count(run, "completed");
      long stopped = FinishedDocument.count(run, "stopped");
      long failed = FinishedDocument.count(run, "failed");
      long all = Math.max(run.plannedTrials(), run.trials().size());
      return new Trials(
          running, all - running - completed - stopped - failed, completed, stopped, failed);
    }

    @Override
    public String toString() {
      return running
          + " running, "
          + waiting
          + " waiting, "
          + completed
          + " completed, "
          + stopped
          + " stopped, "
          + failed
          + " failed";
    }
  }

  /** Whether {@code other} differs in more than time and money. */
  boolean movedSince(RunStatus other) {
    return standing != other.standing
        || instances != other.instances
        || !groups.equals(other.groups)
        || !trials.equals(other.trials)
        || !exit.equals(other.exit);
  }
}
