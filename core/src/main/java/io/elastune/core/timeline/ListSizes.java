package io.elastune.core.timeline;

/** The instances and GPUs that a plan gives to a search under list scheduling, as it stands now. */
public interface ListSizes {
  /** Returns the instances that are requested at the start. */
  int requested();

  /** Returns the queue that is served at a place from 0. */
  int queue(int place);

  /** Returns the GPUs of a task of a queue that starts now. */
  int gpus(int queue);

  /** Returns how many of the held instances start tasks, from the lowest number on. */
  default int used() {
    return Integer.MAX_VALUE;
  }

  /** Returns how many instances are kept; idle ones beyond are released. */
  int kept();

  /** Returns how many instances are held at least after a loss: if fewer, it is replaced. */
  int replaced();

  /** Whether a trial that hung starts on another instance, if one is free. */
  default boolean avoidsInstanceOfHang() {
    return false;
  }

  /** Whether an instance that is not ready counts as idle. */
  boolean unreadyAreIdle();
}
