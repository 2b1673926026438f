package io.elastune.core.timeline;

/** Receives what happens on a timeline, in order. */
public interface TimelineRecipient {
  /** Ignores everything. */
  TimelineRecipient NONE = new TimelineRecipient() {};

  /** An instance is requested. */
  default void requested(Instance instance, double nowS) {}

  /** An instance is ready. */
  default void ready(Instance instance, double nowS) {}

  /** An attempt of a task starts, or continues with other units. */
  default void started(Task task, double nowS) {}

  /** An attempt of a task ends, for whatever reason, or continues with other units. */
  default void left(Task task, double nowS) {}

  /** A task has trained all its units. */
  default void ended(Task task, double nowS) {}

  /** The phase to which instances are billed ends. */
  default void phaseEnded(double nowS) {}

  /** An instance is released. */
  default void released(Instance instance, double nowS) {}

  /** The search ends; what still runs is discarded. */
  default void finished(double nowS) {}
}
