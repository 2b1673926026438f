package io.elastune.executor.engine;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An event of one attempt, posted by an engine. */
public sealed interface EngineEvent {
  /** Returns the ID of the attempt. */
  String attempt();

  /** Returns the time of the event. */
  Instant at();

  /** Calls the visitor's method for this type of event. */
  void match(Visitor visitor);

  /** One method per event type, so that a new type is a compile error at every use. */
  interface Visitor {
    void reported(Reported event);

    void active(Active event);

    void faulted(Faulted event);

    void unreachable(Unreachable event);

    void reachable(Reachable event);

    void ended(Ended event);
  }

  /**
   * A report of rank 0: the metrics after one unit.
   *
   * @param unit the unit that the trial reported, unchecked
   * @param metrics metrics by name; values may be NaN or infinite
   * @param done whether the trial needs no more training
   */
  record Reported(String attempt, int unit, Map<String, Double> metrics, boolean done, Instant at)
      implements EngineEvent {
    public Reported {
      metrics = Map.copyOf(metrics);
    }

    /** Creates the report of a trial that continues, or that was expected to end. */
    public Reported(String attempt, int unit, Map<String, Double> metrics, Instant at) {
      this(attempt, unit, metrics, false, at);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.reported(this);
    }
  }

  /**
   * The answer to {@link Engine#check}. Signs of life are reports, lines of output and CPU activity
   * of any worker.
   *
   * @param silenceS seconds since the last sign of life
   */
  record Active(String attempt, double silenceS, Instant at) implements EngineEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.active(this);
    }
  }

  /**
   * The trial violated the trial protocol and continues.
   *
   * @param message the violated rule and the observed behavior
   */
  record Faulted(String attempt, String message, Instant at) implements EngineEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.faulted(this);
    }
  }

  /**
   * The engine has no contact to a node of the attempt, whose workers may continue meanwhile.
   * Reports and answers to {@link Engine#check} may be late. {@link Reachable} or {@link Ended}
   * follows.
   *
   * @param since the time of the last contact
   */
  record Unreachable(String attempt, Instant since, Instant at) implements EngineEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.unreachable(this);
    }
  }

  /** The engine has contact to all nodes of the attempt again. */
  record Reachable(String attempt, Instant at) implements EngineEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.reachable(this);
    }
  }

  /**
   * The attempt has ended: none of its processes is left.
   *
   * @param exitCode 0 if all workers exited with 0, else the first other exit code; 128 + signal
   *     number for a worker that was killed
   * @param checkpoint the unit of the newest complete checkpoint up to the attempt's limit; empty
   *     if there is none
   * @param torn whether the attempt left a newer checkpoint that is incomplete or corrupt
   * @param message for exit codes other than 0: the known cause, with the last lines of the log; it
   *     starts with {@link #DISK_FULL} if the attempt ended because of that
   * @param lost whether the workers ended or could not be started because an instance of the
   *     attempt ended or does not answer; the trial itself has not failed then
   * @param checkpoints what was measured of its checkpoints; empty if there is none
   * @param memoryBytes the most memory that its workers used together; empty if the engine has not
   *     measured it
   * @param startedAt when its workers started to use their instances, by the clock of {@code at},
   *     and {@code at} itself if they never did; empty if the engine does not know
   * @param digests the digests of the complete checkpoints that are left, by unit ({@link
   *     io.elastune.executor.checkpoint.CheckpointDigest})
   */
  record Ended(
      String attempt,
      int exitCode,
      OptionalInt checkpoint,
      boolean torn,
      String message,
      Instant at,
      boolean lost,
      Optional<CheckpointTimes> checkpoints,
      OptionalLong memoryBytes,
      Optional<Instant> startedAt,
      Map<Integer, String> digests)
      implements EngineEvent {
    /** The start of the message of an attempt that could not write because its disk is full. */
    public static final String DISK_FULL = "the disk is full";

    private static final Pattern FULL_DISK =
        Pattern.compile(DISK_FULL + " \\((.+?)\\): ", Pattern.DOTALL);

    /** The start of the message of an attempt whose workers ended while they waited for it. */
    public static final String NOT_CONTINUED = "its waiting workers did not continue";

    public Ended {
      digests = Map.copyOf(Objects.requireNonNullElse(digests, Map.of())); // earlier versions
    }

    /** Creates an end that no instance caused. */
    public Ended(
        String attempt,
        int exitCode,
        OptionalInt checkpoint,
        boolean torn,
        String message,
        Instant at) {
      this(attempt, exitCode, checkpoint, torn, message, at, false);
    }

    /** Creates an end without measurements of checkpoints. */
    public Ended(
        String attempt,
        int exitCode,
        OptionalInt checkpoint,
        boolean torn,
        String message,
        Instant at,
        boolean lost) {
      this(
          attempt,
          exitCode,
          checkpoint,
          torn,
          message,
          at,
          lost,
          Optional.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Map.of());
    }

    /** Returns whether a full disk ended the attempt: the trial itself has not failed. */
    public boolean isDiskFull() {
      return message.startsWith(DISK_FULL);
    }

    /** Returns the folder on the full disk, or what the engine names in its place. */
    public Optional<String> fullDisk() {
      Matcher place = FULL_DISK.matcher(message);
      return place.lookingAt() ? Optional.of(place.group(1)) : Optional.empty();
    }

    /** Returns this event with another exit code. */
    public Ended withExitCode(int other) {
      return new Ended(
          attempt,
          other,
          checkpoint,
          torn,
          message,
          at,
          lost,
          checkpoints,
          memoryBytes,
          startedAt,
          digests);
    }

    /** Returns this event with another message. */
    public Ended withMessage(String other) {
      return new Ended(
          attempt,
          exitCode,
          checkpoint,
          torn,
          other,
          at,
          lost,
          checkpoints,
          memoryBytes,
          startedAt,
          digests);
    }

    /** Returns this event with what was measured of the checkpoints. */
    public Ended withCheckpoints(Optional<CheckpointTimes> measured) {
      return new Ended(
          attempt,
          exitCode,
          checkpoint,
          torn,
          message,
          at,
          lost,
          measured,
          memoryBytes,
          startedAt,
          digests);
    }

    /** Returns this event with the measured memory of the workers. */
    public Ended withMemory(OptionalLong bytes) {
      return new Ended(
          attempt,
          exitCode,
          checkpoint,
          torn,
          message,
          at,
          lost,
          checkpoints,
          bytes,
          startedAt,
          digests);
    }

    /** Returns this event with the time at which its workers started to use their instances. */
    public Ended withStart(Instant start) {
      return new Ended(
          attempt,
          exitCode,
          checkpoint,
          torn,
          message,
          at,
          lost,
          checkpoints,
          memoryBytes,
          Optional.of(start),
          digests);
    }

    /** Returns this event with the digests of checkpoints. */
    public Ended withDigests(Map<Integer, String> others) {
      return new Ended(
          attempt,
          exitCode,
          checkpoint,
          torn,
          message,
          at,
          lost,
          checkpoints,
          memoryBytes,
          startedAt,
          others);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.ended(this);
    }
  }
}
