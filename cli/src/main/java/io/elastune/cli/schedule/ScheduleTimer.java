package io.elastune.cli.schedule;

/**
 * A program of this machine that calls {@code elastune schedule start} at the times of a schedule.
 */
interface ScheduleTimer {
  /**
   * Installs the timer of a schedule, or replaces it.
   *
   * @return what was written, for the screen
   * @throws io.elastune.cli.failure.CommandFailure if the program refuses it
   */
  String install(Schedule schedule);

  /** Removes the timer of a schedule, if it exists. */
  void remove(String name);
}
