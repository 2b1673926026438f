package io.elastune.executor.engine;

import java.time.Duration;

/**
 * Starts the workers of trials on given instances and monitors them. Every method accepts a command
 * and returns immediately; it never blocks. Results are posted as {@link EngineEvent}s to the
 * consumer that was passed when the engine was opened, on the engine's own thread.
 *
 * <p>Every attempt that was started or adopted ends in exactly one {@link EngineEvent.Ended},
 * posted after all its processes have exited. Events of one attempt are posted in the order in
 * which they occurred.
 */
public interface Engine extends AutoCloseable {
  /** Starts an attempt. Starting the same attempt again has no effect. */
  void start(AttemptSpec attempt);

  /**
   * Adopts an attempt of an earlier controller of the run, which may have failed before it started
   * the attempt. Starts nothing. Workers that still run continue as if this engine had started
   * them. Otherwise {@code Ended} is posted once no worker is left, with the newest complete
   * checkpoint. Its exit code is that of the workers if known, else 137.
   *
   * @param reported the last unit whose report that controller received, or the attempt's {@code
   *     from}; later reports are posted if they are still available
   */
  void adopt(AttemptSpec attempt, int reported);

  /**
   * Requests a checkpoint and the exit of all workers; those that still run 30 s later are killed.
   * It shortens the time that an earlier request has granted.
   */
  void stop(String attempt);

  /**
   * The same with another time: those that still run after {@code grace} are killed. It never
   * extends the time that an earlier request has granted.
   */
  void stop(String attempt, Duration grace);

  /** Kills the workers immediately, without a checkpoint. */
  void kill(String attempt);

  /**
   * Requests an {@link EngineEvent.Active} with the time since the last sign of life of any worker.
   * An attempt that is unknown, not running or unreachable gets no answer.
   */
  void check(String attempt);

  /** Kills all workers immediately and releases the engine's threads. */
  @Override
  void close();
}
