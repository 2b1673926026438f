package io.elastune.core.search;

import io.elastune.core.field.Word;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One event of one sample of a prediction, as shown by {@code simulate --trace}.
 *
 * @param atS seconds from the start of the plan
 * @param instance the index of the instance in its chain; that with the lowest number if a trial
 *     uses several; empty for an event of the search
 */
public record TraceEvent(double atS, Kind kind, Optional<Task> task, OptionalInt instance) {
  /** What happens. */
  public enum Kind implements Word {
    /** An instance is ready. */
    READY,
    /** A task starts. */
    START,
    /** A task ends. */
    END,
    /** An instance is released. */
    RELEASE,
    /** No new trial starts from now on. */
    CLOSING,
    /** The search ends. */
    FINISHED
  }

  /**
   * A task.
   *
   * @param group the name of its group or rung
   * @param gpus GPUs of the trial
   * @param trialsPerGpu trials that share each GPU
   * @param parent the trial from whose checkpoint it starts, if that is another one
   */
  public record Task(
      int trial, String group, int from, int to, int gpus, int trialsPerGpu, OptionalInt parent) {}

  /** Creates an event of the whole search. */
  public static TraceEvent of(double atS, Kind kind) {
    return new TraceEvent(atS, kind, Optional.empty(), OptionalInt.empty());
  }

  /** Creates an event of an instance. */
  public static TraceEvent of(double atS, Kind kind, int instance) {
    return new TraceEvent(atS, kind, Optional.empty(), OptionalInt.of(instance));
  }

  /** Creates an event of a task. */
  public static TraceEvent of(double atS, Kind kind, int instance, Task task) {
    return new TraceEvent(atS, kind, Optional.of(task), OptionalInt.of(instance));
  }
}
