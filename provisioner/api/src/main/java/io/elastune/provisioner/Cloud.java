package io.elastune.provisioner;

/**
 * The door to a cloud. Every method takes a command, returns at once and never blocks; what comes
 * of it is told to the consumer of {@link CloudEvent}s with which the cloud was opened, from a
 * thread of the cloud's own.
 *
 * <p>What callers may rely on:
 *
 * <ul>
 *   <li>The lease's id is the idempotency token: asking twice rents once.
 *   <li>Every request ends in {@code Refused} or, in the end, in {@code Terminated}; in between
 *       come {@code Running}, then {@code Ready} or {@code SetupFailed}, and perhaps {@code
 *       Priced}, {@code Leaving} or {@code Lost}.
 *   <li>An instance carries the request's tags from the very call that creates it.
 *   <li>{@code Terminated} is told only after the cloud has said so.
 *   <li>When this process ends, however it ends, instances end by themselves within the dead-man
 *       time.
 * </ul>
 */
public interface Cloud extends AutoCloseable {
  /** Rents one instance. */
  void request(LeaseRequest request);

  /**
   * Takes up an instance that an earlier controller of the run has requested, or was just about to
   * when it ended. Rents nothing. What has come of that request is told once more, with the cloud's
   * own times: {@code Running} if billing ever began, then {@code Ready} or {@code SetupFailed} as
   * soon as it is so, and {@code Terminated} if it has ended meanwhile or never was.
   */
  void adopt(LeaseRequest request);

  /**
   * Gives an instance back, in whatever state it is: pending, booting or ready. Releasing what is
   * gone, or was never there, is answered with {@code Terminated} too.
   */
  void release(String lease);

  /** Asks which instances carry the tag of {@code run}; answered with {@code Listed}. */
  void list(String run);

  /**
   * Says by when nodes that hear nothing more of this controller are to have ended, if that is
   * before their dead-man time is over: nobody pays for longer. Holds for instances that are there
   * and for those still to come, until another limit is told. Nothing ends as long as this goes on
   * to be told in time.
   *
   * <p>What has not been rented yet is rented only once those that are there have been told: what
   * it costs is paid for by their shorter lives, also if this controller is never heard of again.
   *
   * <p>A kind whose instances end with their controller has nothing to do.
   */
  default void limitLives(LifeLimit limit) {}

  /**
   * Lets go of threads and connections; instances still rented are left to their dead-man timer.
   */
  @Override
  void close();
}
