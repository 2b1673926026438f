package io.elastune.provisioner;

/**
 * Rents and releases instances of one cloud provider. Every method takes a command, returns at once
 * and never blocks. Results are reported as {@link CloudEvent}s to the consumer with which the
 * cloud was opened, on a thread of the implementation.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>The lease id is the idempotency token: a repeated request rents one instance.
 *   <li>Every request ends in {@code Refused} or {@code Terminated}. {@code Terminated} may be
 *       preceded by {@code Running}, then {@code Ready} or {@code PreparationFailed}, and by {@code
 *       Priced}, {@code Leaving} or {@code Lost}. A {@code LaunchFailed} may precede any of them.
 *   <li>The call that creates an instance also sets the request's tags.
 *   <li>{@code Terminated} is reported only after the cloud has confirmed it.
 *   <li>If this process ends for any reason, instances shut down by themselves within the dead-man
 *       time.
 * </ul>
 */
public interface Cloud extends AutoCloseable {
  /** Rents one instance. */
  void request(LeaseRequest request);

  /**
   * Resumes tracking of an instance that an earlier controller of the run requested, or was about
   * to request when it ended. Rents nothing. The events of that request are reported again, with
   * the cloud's timestamps: {@code Running} if billing ever began, then {@code Ready} or {@code
   * PreparationFailed} when known, and {@code Terminated} if the instance has ended or never
   * existed.
   *
   * <p>The same holds for an instance of this controller, on which an attempt was lost: a provider
   * with nodes of its own reports {@code Ready} only after the node has answered, and otherwise
   * {@code Lost}.
   */
  void adopt(LeaseRequest request);

  /**
   * Releases an instance in any state: pending, booting or ready. Releasing an instance that has
   * ended or never existed also results in {@code Terminated}.
   */
  void release(String lease);

  /**
   * Makes later requests prefer another host or zone than that of an instance whose node could not
   * become ready. A cloud without a choice of hosts and zones does nothing.
   */
  default void avoidNode(String lease) {}

  /**
   * Reports a booting instance as ready, because its node has been seen to work: the report of the
   * node itself is not awaited any more. Does nothing for another instance, and in a cloud whose
   * nodes do not report.
   */
  default void confirmBoot(String lease) {}

  /** Lists the instances with the tag of {@code run}; the result is a {@code Listed} event. */
  void list(String run);

  /**
   * Limits how long nodes run without contact to this controller, if the budget is spent before
   * their dead-man time is over. The limit applies to existing and future instances until another
   * limit is set. No node shuts down as long as the controller renews the limit in time.
   *
   * <p>A new instance is rented only after all existing nodes have received the limit. Their
   * earlier expiry pays for the new instance, even if this controller stops.
   *
   * <p>A provider whose instances end with their controller does nothing.
   */
  default void limitNodeExpiry(NodeExpiryLimit limit) {}

  /**
   * Releases threads and connections. Instances that are still rented end by their dead-man timer.
   */
  @Override
  void close();
}
