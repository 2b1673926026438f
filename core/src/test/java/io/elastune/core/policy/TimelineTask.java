package io.elastune.core.policy;

import java.util.List;

/**
 * A task of a {@link PolicyTimeline} before its next attempt.
 *
 * @param group the name of its group or rung
 * @param units units of the whole task
 * @param unitsLeft units that are still to be trained
 * @param isFresh whether it has not started
 * @param trainedS seconds for which it has been trained
 * @param reports its reports, if the policy uses them
 */
record TimelineTask(
    int trial,
    String group,
    int units,
    int unitsLeft,
    boolean isFresh,
    double trainedS,
    List<PolicyView.Report> reports) {
  TimelineTask {
    reports = List.copyOf(reports);
  }

  /** Creates a task that was issued. */
  static TimelineTask issued(TaskSource.Task task) {
    List<PolicyView.Report> reports = task.reports();
    boolean isFresh = reports.isEmpty();
    int done = isFresh ? 0 : reports.get(reports.size() - 1).unit();
    double trainedS = isFresh ? 0 : reports.get(reports.size() - 1).trainedS();
    return new TimelineTask(
        task.trial(), task.group(), task.units(), task.units() - done, isFresh, trainedS, reports);
  }

  /** Whether it has completed a unit. */
  boolean hasReported() {
    return unitsLeft < units;
  }

  /** Returns the unit up to which it has been trained. */
  int unit() {
    return units - unitsLeft;
  }
}
