package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.schedule.StartRecord.State;
import io.elastune.core.files.LockedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The starts of a schedule. A start whose process was killed has no second line in the log: its
 * runs are those that began since.
 */
public final class ScheduleLog {
  private final ScheduleStore store;
  private final RunCosts costs;

  public ScheduleLog(CliEnvironment cliEnvironment) {
    this.store = new ScheduleStore(cliEnvironment);
    this.costs = new RunCosts(cliEnvironment);
  }

  /** Returns all lines, the oldest first. The process that holds the lock must not call this. */
  List<StartRecord> lines(Schedule schedule) {
    try {
      return lines(schedule, LockedFile.isHeld(store.lock(schedule.name())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns all lines, the oldest first.
   *
   * @param inProgress whether the last start is in progress
   */
  List<StartRecord> lines(Schedule schedule, boolean inProgress) {
    List<StartRecord> lines = new ArrayList<>();
    Instant next = Instant.MAX;
    boolean last = true;
    List<StartRecord> stored = store.log(schedule.name());
    for (int i = stored.size() - 1; i >= 0; i--) {
      StartRecord line = stored.get(i);
      lines.add(
          0,
          line.state() == State.STARTED
              ? completed(schedule, line, next, last && inProgress)
              : line);
      if (line.hasRun()) {
        next = line.at();
        last = false;
      }
    }
    return lines;
  }

  private StartRecord completed(
      Schedule schedule, StartRecord line, Instant next, boolean inProgress) {
    String job = line.job().isEmpty() ? schedule.jobName() : line.job();
    List<StartRecord.RunCost> runs = costs.began(job, line.at(), next);
    return inProgress ? line.inProgress(runs) : line.killed(runs);
  }

  /**
   * Stores the cost of the runs of killed starts. Later, these runs may be removed.
   *
   * @param inProgress whether the last start is in progress
   */
  void storeKilled(Schedule schedule, boolean inProgress) {
    List<StartRecord> stored = store.log(schedule.name());
    for (StartRecord line : lines(schedule, inProgress)) {
      if (line.state() == State.KILLED && !stored.contains(line)) {
        store.append(schedule.name(), line);
      }
    }
  }

  /** Stores the cost of the runs of all schedules, before runs are removed. */
  public void storeAllKilled() {
    for (Schedule schedule : store.all()) {
      try {
        storeKilled(schedule, LockedFile.isHeld(store.lock(schedule.name())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
