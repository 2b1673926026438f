package io.elastune.executor.engine;

/**
 * The door to an engine: it starts a trial's workers on given instances and watches them. Every
 * method takes a command, returns at once and never blocks; what comes of it is told to the
 * consumer of {@link EngineEvent}s with which the engine was made, from a thread of its own.
 *
 * <p>Every attempt started or taken up ends in exactly one {@link EngineEvent.Ended}; by then all
 * its processes are gone. Events of one attempt come in the order in which they happened.
 */
public interface Engine extends AutoCloseable {
  /** Starts an attempt. Starting the same attempt twice starts it once. */
  void start(AttemptSpec attempt);

  /**
   * Takes up an attempt that an earlier controller of the run has started, or was just about to
   * when it ended. Starts nothing. Workers that still run go on as if this engine had started them;
   * else {@code Ended} is told as soon as none is left, with the newest whole checkpoint. The exit
   * code is then the workers' own where it is known, else 137.
   *
   * @param reported the last unit whose report that controller has taken, or the attempt's {@code
   *     from}; later reports are told where they can still be had
   */
  void adopt(AttemptSpec attempt, int reported);

  /** Asks the workers to write a checkpoint and exit; those still there 30 s later are ended. */
  void stop(String attempt);

  /** Ends the workers at once, without a checkpoint. */
  void kill(String attempt);

  /** Ends all workers at once and lets go of threads. */
  @Override
  void close();
}
