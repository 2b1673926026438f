package io.elastune.executor.engine;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;

/** What an engine tells. */
public sealed interface EngineEvent {
  /** The attempt that it is about. */
  String attempt();

  /** When it happened. */
  Instant at();

  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R reported(Reported event);

    R faulted(Faulted event);

    R ended(Ended event);
  }

  /**
   * A report line of rank 0.
   *
   * @param unit the unit that it is about, as the trial says
   * @param metrics by name; may hold NaN and infinities
   */
  record Reported(String attempt, int unit, Map<String, Double> metrics, Instant at)
      implements EngineEvent {
    public Reported {
      metrics = Map.copyOf(metrics);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.reported(this);
    }
  }

  /**
   * The trial broke the protocol, but goes on.
   *
   * @param message which rule, and what it did
   */
  record Faulted(String attempt, String message, Instant at) implements EngineEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.faulted(this);
    }
  }

  /**
   * All processes of the attempt are gone.
   *
   * @param exitCode the worst of its workers': 0 if all were 0, else the first that was not; 128 +
   *     number for a signal
   * @param checkpoint the newest valid checkpoint's unit, not above the attempt's limit, now to be
   *     found; empty if there is none
   * @param torn whether the attempt left a newer checkpoint that is not whole
   * @param message for an exit that was not 0: what is known, with the end of the log
   * @param lost whether its workers ended, or could not be started, because an instance under them
   *     went away or cannot be reached: then it is not the trial that failed
   */
  record Ended(
      String attempt,
      int exitCode,
      OptionalInt checkpoint,
      boolean torn,
      String message,
      Instant at,
      boolean lost)
      implements EngineEvent {
    /** An end that no instance is to blame for. */
    public Ended(
        String attempt,
        int exitCode,
        OptionalInt checkpoint,
        boolean torn,
        String message,
        Instant at) {
      this(attempt, exitCode, checkpoint, torn, message, at, false);
    }

    /** The same event with another exit code. */
    public Ended withExitCode(int other) {
      return new Ended(attempt, other, checkpoint, torn, message, at, lost);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.ended(this);
    }
  }
}
